/// Orders from box to box to hand over to another program: this box gives them, and has those that it gets carried out.
///
/// An order names the program by its hash, so it may be repeated: a box that runs it already says so, and one that is about
/// it says nothing. Its letter may come late, when the person has long given up. So it counts for a number of beats of the box that gave
/// it, which the engine counts: no clocks are compared, and a box that was off carries out nothing that is old.
/// Threads: the desk's; note_failure() before it begins.
#pragma once

#include "src/cluster/fleet_world.hpp"
#include "src/cluster/seat_keeper.hpp"
#include "src/cluster/upgrade_form.hpp"
#include "src/ports/fleet.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace smsrack::cluster {

/// What the upgrader asks of this box.
struct UpgradeSide {
    /// hash128_text() of the program that runs; empty: it is not known.
    std::function<std::string()> runs = {};
    /// Carries out an order of the box with this name; `refused` may come from any thread, or never. Empty: this program can't be
    /// upgraded.
    std::function<void(const std::string& by, ports::UpgradeOrder order,
                       std::function<void(const Error&)> refused)>
        carry_out = {};
};

class Upgrader {
public:
    static constexpr std::int64_t order_beats = 15;
    /// A hand-over that failed answers the orders of so long.
    static constexpr std::chrono::minutes failure_counts{5};

    /// All outlive the object, and so does it `refused`. `news`: answer_of() says something else.
    Upgrader(const FleetWorld& world, SeatKeeper& seat, UpgradeSide side,
             std::function<void()> news)
        : world_(world), seat_(seat), side_(std::move(side)), news_(std::move(news)) {}

    /// The hand-over before this start did not succeed, and the program is the one of before.
    void note_failure(std::string why);

    /// FleetControl::upgrade().
    void order(const std::string& name, ports::UpgradeOrder order, ports::Done<void> done);
    void heard(const UpgradeLetter& letter);
    void heard(const UpgradeAnswer& answer);

    struct Answer {
        std::string upgraded_to = {};  ///< BoxSeen::upgraded_to
        std::string why_not = {};      ///< BoxSeen::not_upgraded
    };
    [[nodiscard]] Answer answer_of(BoxNumber box) const;

private:
    /// The same one may be given again and again until it has its answer.
    struct Ordered {
        std::string hash = {};
        std::int64_t since = 0;  // beats of this box
        std::optional<Answer> answer = {};
    };
    struct Failed {
        std::string why = {};
        SteadyTime until = {};
    };

    [[nodiscard]] const ports::BoxRow* row_of(auto matches) const;
    [[nodiscard]] bool is_running(const ports::BoxRow& box) const;
    [[nodiscard]] bool is_fresh(const ports::BoxRow& by, std::int64_t beats) const;
    void answer(const UpgradeLetter& letter, std::string why_not);
    void send(BoxNumber to, std::string form, ports::Done<void> done);

    const FleetWorld& world_;
    SeatKeeper& seat_;
    const UpgradeSide side_;
    const std::function<void()> news_;
    std::optional<Failed> failed_ = {};
    std::map<BoxNumber, Ordered> ordered_ = {};  // bound: boxes of the fleet
};

}  // namespace smsrack::cluster
