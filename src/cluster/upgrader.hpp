/// Orders from box to box to hand over to another program: this box gives them, and has those that it gets carried out.
///
/// An order names the program by its hash, and may be repeated: a box that runs it says so, and one that is about it says
/// nothing. A box notes on its disk that it begins to hand over, and does so once for an order: where it runs
/// another program afterwards, that is its answer. A letter may come late, when the person has long given up. So it counts for a
/// number of beats of the box that gave it, which the engine counts: no clocks are compared, and a box that was off
/// carries out nothing that is old.
/// Bound:   one order is carried out at a time; others wait, as what is said again may.
/// Threads: the desk's.
#pragma once

#include "src/cluster/fleet_world.hpp"
#include "src/cluster/seat_keeper.hpp"
#include "src/cluster/upgrade_form.hpp"
#include "src/ports/fleet.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace smsrack::cluster {

/// What the upgrader asks of this box.
struct UpgradeSide {
    /// hash128_text() of the program that runs; empty: it can't be read.
    std::function<std::string()> program = {};
    /// What was noted last, by this program or one before; empty: nothing was.
    std::function<std::string()> noted = {};
    /// Keeps this on the disk. False: it can't.
    std::function<bool(const std::string& form)> note = {};
    /// Carries out an order of the box with this name; `refused` may come from any thread, or never. Empty: this program can't be
    /// upgraded.
    std::function<void(const std::string& by, ports::UpgradeOrder order,
                       std::function<void(const Error&)> refused)>
        carry_out = {};
};

class Upgrader {
public:
    static constexpr std::int64_t order_beats = 15;
    /// All outlive the object, and so does it `refused`. `news`: answer_of() says something else.
    Upgrader(const FleetWorld& world, SeatKeeper& seat, UpgradeSide side,
             std::function<void()> news)
        : world_(world), seat_(seat), side_(std::move(side)), news_(std::move(news)) {}

    /// This start was by a hand-over; `why_not`: which did not succeed, so the program is the one of before.
    void begins_by_hand_over(std::optional<std::string> why_not);

    /// FleetControl::upgrade().
    void order(const std::string& name, ports::UpgradeOrder order, bool again,
               ports::Done<void> done);
    void heard(const UpgradeLetter& letter);
    void heard(const UpgradeAnswer& answer);

    struct Answer {
        std::string program = {};  ///< BoxSeen::program
        std::string why_not = {};  ///< BoxSeen::not_upgraded
    };
    [[nodiscard]] Answer answer_of(const ports::BoxRow& box) const;

private:
    struct Ordered {
        std::int64_t since = 0;
        std::string hash = {};
        std::optional<UpgradeAnswer> answer = {};
    };
    /// The order that this box has carried out last.
    struct Begun {
        UpgradeMark mark = {};
        std::string hash = {};
        // As far as this program knows; nullopt: it is under way
        std::optional<std::string> why_not = {};
    };

    [[nodiscard]] const ports::BoxRow* row_of(auto matches) const;
    [[nodiscard]] bool is_fresh(const ports::BoxRow& by, std::int64_t beats) const;
    [[nodiscard]] const std::string& own_program();
    void look_up();
    [[nodiscard]] bool is_begun(const UpgradeLetter& letter) const;
    void begin(const std::string& by, const UpgradeLetter& letter);
    void refused(const UpgradeLetter& letter, const Error& error);
    void answer(const UpgradeLetter& letter, std::string why_not);
    void send(BoxNumber to, std::string form, ports::Done<void> done);

    const FleetWorld& world_;
    SeatKeeper& seat_;
    const UpgradeSide side_;
    const std::function<void()> news_;
    std::string own_program_ = {};             // empty: it was not needed yet
    std::optional<std::string> failure_ = {};  // of the hand-over before this start
    bool is_looked_up_ = false;                // begun_
    std::optional<Begun> begun_ = {};
    std::map<BoxNumber, Ordered> ordered_ = {};  // bound: boxes of the fleet
};

}  // namespace smsrack::cluster
