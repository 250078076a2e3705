/// What a box knows when it decides which boxes to park or to wake: the newest decision, and each box with what it said of its work.
///
/// A decision tells more than rows that were read before it.
/// Threads: the desk's.
#pragma once

#include "src/cluster/box_production.hpp"
#include "src/cluster/box_work.hpp"
#include "src/cluster/fleet_world.hpp"
#include "src/cluster/seat_keeper.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace smsrack::cluster {

class FleetPicture {
public:
    /// Both outlive the object.
    FleetPicture(const FleetWorld& world, const SeatKeeper& seat) : world_(world), seat_(seat) {}

    /// The newest decision that is known, perhaps of this box.
    void note(const ports::FleetDecision& decision);
    /// Begins again: it is another engine, or an older state of it.
    void forget();

    /// What the engine says of the boxes. A box that was woken is on its way for `wake_within`, unless it is one of `failed`.
    void see(const std::vector<ports::BoxLoad>& loads, BoxNumber self,
             std::chrono::seconds wake_within, const WakesFailed& failed);
    /// As this box has just decided.
    void set_life(BoxNumber box, ports::BoxLife life);

    [[nodiscard]] const std::vector<BoxNode>& boxes() const { return boxes_; }
    /// null: there is none.
    [[nodiscard]] const BoxNode* node_of(BoxNumber box) const;
    /// Boxes that run or may be made to.
    [[nodiscard]] std::uint32_t known() const;

    [[nodiscard]] const ports::FleetDecision& decision() const { return decision_; }
    [[nodiscard]] const DecisionForm& decided() const { return decided_; }
    /// Of the newest decision; nullopt: none was read yet.
    [[nodiscard]] std::optional<std::int64_t> seen() const { return seen_; }
    [[nodiscard]] SteadyTime::duration since_seen() const {
        return world_.clock.steady() - seen_at_;
    }
    /// The rows may have been read before the newest decision.
    [[nodiscard]] bool may_precede() const;

    /// The box that drains by the newest decision; null: none does, or by a person's word.
    [[nodiscard]] const BoxNode* draining() const;
    /// It said so itself, after it had heard that it drains.
    [[nodiscard]] bool is_drained(const BoxNode& box) const;
    [[nodiscard]] bool one_comes() const;

private:
    const FleetWorld& world_;
    const SeatKeeper& seat_;
    std::vector<BoxNode> boxes_ = {};
    ports::FleetDecision decision_ = {};
    DecisionForm decided_ = {};
    std::optional<std::int64_t> seen_ = {};
    SteadyTime seen_at_ = {};
    // Beats of this box: rows that came with these are older than the decision.
    std::int64_t known_until_ = -1;
};

/// By a decision, or by itself.
[[nodiscard]] bool may_come_back(ports::BoxLife life);

}  // namespace smsrack::cluster
