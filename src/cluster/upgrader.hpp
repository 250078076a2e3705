/// Orders from box to box to hand over to another program: this box gives them, and has those that it gets carried out.
///
/// An order goes as a letter through the engine, and may come late, when the person has long given up. So it counts for a
/// number of beats of the box that gave it, which the engine counts: no clocks are compared, and a box that was off
/// carries out nothing that is old.
/// Threads: the desk's.
#pragma once

#include "src/cluster/fleet_world.hpp"
#include "src/cluster/seat_keeper.hpp"
#include "src/cluster/upgrade_form.hpp"
#include "src/ports/fleet.hpp"

#include <functional>
#include <map>
#include <string>

namespace smsrack::cluster {

class Upgrader {
public:
    static constexpr std::int64_t order_beats = 15;
    /// Carries out an order of the box with this name; `refused` may come from any thread, or never.
    using Carry = std::function<void(const std::string& by, ports::UpgradeOrder order,
                                     std::function<void(const Error&)> refused)>;

    /// All outlive the object, but `refused` of an order does not call it later than that. `carry`: empty: this program can't
    /// be replaced. `news`: why_not() says something else.
    Upgrader(const FleetWorld& world, SeatKeeper& seat, Carry carry, std::function<void()> news)
        : world_(world), seat_(seat), carry_(std::move(carry)), news_(std::move(news)) {}

    /// FleetControl::upgrade().
    void order(const std::string& name, ports::UpgradeOrder order, ports::Done<void> done);
    void heard(const UpgradeLetter& letter);
    void heard(const RefusalLetter& letter);
    /// BoxSeen::not_upgraded.
    [[nodiscard]] std::string why_not(BoxNumber box) const;

private:
    struct Ordered {
        UpgradeMark mark = {};
        std::string why_not = {};
    };

    [[nodiscard]] const ports::BoxRow* row_of(auto matches) const;
    [[nodiscard]] bool is_fresh(const ports::BoxRow& by, const UpgradeMark& mark) const;
    void send(BoxNumber to, std::string form, ports::Done<void> done);
    void refuse(const UpgradeMark& mark, std::string why);

    const FleetWorld& world_;
    SeatKeeper& seat_;
    const Carry carry_;
    const std::function<void()> news_;
    std::map<BoxNumber, Ordered> ordered_ = {};  // bound: boxes of the fleet
};

}  // namespace smsrack::cluster
