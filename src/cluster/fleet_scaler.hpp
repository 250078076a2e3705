/// Parks and wakes boxes as the load of the fleet needs.
///
/// Each period this box says how much work it has, reads what the others say, and gives the sample of all to the policy.
/// Any box that can wake others decides; the engine keeps one of the decisions that are made at once, and the
/// others begin a new window by it. A box that is to go is drained first, and parked when it has nothing left; the box that decided
/// does so, or another one where that is silent. An order to the program of [cluster] wake lasts up to a minute, meanwhile
/// nothing is decided. A box that can't be woken, or does not come in time, is named, and another one is woken.
/// Unit:    nodes are boxes; flow in messages per second; F is what their modems send on the mean.
/// Time:    steady. A sample each period; while a box drains or comes, it looks with each beat.
/// Threads: the desk's.
/// Source:  [Elastic]; docs/decisions/0052-boxes-as-nodes.md.
#pragma once

#include "src/cluster/box_production.hpp"
#include "src/cluster/fleet_picture.hpp"
#include "src/cluster/fleet_scaling.hpp"
#include "src/cluster/power_errand.hpp"
#include "src/cluster/task.hpp"
#include "src/ports/box_power.hpp"
#include "src/ports/fleet.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::cluster {

/// What the scaler asks of this box, and what it notifies it of.
struct ScalerSide {
    /// But for `seen`; `own` and `stays` of what the fleet does not share.
    std::function<BoxWork()> work = {};
    std::function<std::vector<std::string>()> iccids = {};  ///< of the SIMs in its modems
    ports::BoxPower* power = nullptr;                       ///< null: there is none
    /// This box has decided, or an order about a box was not carried out: in words.
    std::function<void(std::string)> told = {};
};

class FleetScaler final : public Task {
public:
    /// All outlive the object.
    FleetScaler(const FleetWorld& world, SeatKeeper& seat, const FleetScaling& settings,
                ScalerSide side);

    /// Begins a round if a sample is due; returns when it wants to be called again.
    SteadyTime step(SteadyTime now);

    [[nodiscard]] const ports::FleetScalingView& shown() const { return shown_; }
    /// BoxSeen::stays.
    [[nodiscard]] std::string why_it_stays(BoxNumber box) const;

private:
    struct Plan {
        BoxNumber box = {};
        std::string name = {};
        ports::BoxLife from = ports::BoxLife::running;
        ports::BoxLife to = ports::BoxLife::running;
        DecisionForm form = {};
        std::optional<ports::PowerOrder> then = {};
        std::int64_t after = 0;  // number of the decision before it
    };

    void begin() override;
    void forget();
    void ask_ties(std::int64_t own);
    void share(std::int64_t own);
    void heard(const ports::FleetLoad& load);
    [[nodiscard]] bool look_at_asked();
    void note(const ports::FleetDecision& decision);
    void see(const ports::FleetLoad& load);
    [[nodiscard]] bool may_decide() const;
    [[nodiscard]] bool tend();
    [[nodiscard]] bool tend_errand();
    [[nodiscard]] bool tend_drain();
    [[nodiscard]] bool instead_of(const PowerErrand::Order& failed);
    void fail_errand(std::string words);
    [[nodiscard]] bool sample();
    [[nodiscard]] scaling::Sample sample_of(const BoxProduction::Counted& counted) const;
    [[nodiscard]] bool carry_out(const scaling::Decision& decision);
    [[nodiscard]] bool wake_one(const std::string& why, bool again);
    void decide(Plan plan);
    [[nodiscard]] bool kept(std::int64_t number, Plan plan);
    void show(const BoxProduction::Counted& counted);

    const FleetScaling& settings_;
    const ScalerSide side_;
    scaling::ScalingRules rules_;  // node_rate and n_max follow the fleet
    std::unique_ptr<scaling::Policy> policy_;
    BoxProduction production_ = {};
    FleetPicture picture_;
    PowerErrand errand_;
    ports::Seat of_ = {};
    std::optional<SteadyTime> watches_since_ = {};
    SteadyTime next_ = {};  // sample
    bool is_due_ = false;
    std::optional<Plan> asked_ = {};  // the engine has not answered, or its answer was lost
    unsigned returns_ = 0;            // SeatKeeper::returns() of what was read
    std::string stays_ = {};
    AttemptId settled_ = {};
    SteadyTime ask_ties_at_ = {};
    ports::FleetScalingView shown_ = {};
};

}  // namespace smsrack::cluster
