/// The desk of the fleet: what one box does so that several boxes are one gateway.
///
/// An address (wake, mailbox), a turn for each part, and the parts: the seat, and one task for each
/// thing that goes between the store of this box and the engine of all.
/// Time:    each beat wakes all tasks; the store's listener wakes them when there is something to do.
/// Threads: step() by the thread `cluster`; wake(), may_begin() by any.
#pragma once

#include "src/base/mailbox.hpp"
#include "src/base/worker.hpp"
#include "src/cluster/firm_check.hpp"
#include "src/cluster/putter.hpp"
#include "src/cluster/seat_keeper.hpp"
#include "src/cluster/settler.hpp"
#include "src/cluster/taker.hpp"
#include "src/cluster/watchman.hpp"

#include <array>
#include <functional>
#include <vector>

namespace smsrack::cluster {

/// What the desk asks of this box, and what it notifies it of; all on the desk's thread.
struct BoxSide {
    std::function<ports::BoxReport()> report;
    std::function<std::vector<GroupPace>()> groups;
    OnConflict conflict;
    /// FleetWorld::give_up.
    std::function<void(MessageId message, std::function<void(Result<>)> done)> give_up;
};

class FleetDesk final : public Stepper, private Executor {
public:
    /// All outlive the object, and so does it the answers that they owe it.
    FleetDesk(ports::ClusterEngine& engine, ports::FleetStore& store, const Clock& clock,
              Waiter& waiter, const FleetSettings& settings, const BoxSide& box);

    SteadyTime step(SteadyTime now) override;
    /// There may be something to put, to take or to settle.
    void wake();

    /// This box may begin firm messages.
    [[nodiscard]] bool may_begin() const { return seat_.permission().may_begin(); }
    [[nodiscard]] const SeatKeeper& seat() const { return seat_; }

private:
    void post(Job job) override { jobs_.push(std::move(job)); }
    void run_jobs();
    void give_turns();

    FleetSettings settings_;
    Mailbox<Job> jobs_;
    std::vector<Job> running_ = {};
    FleetWorld world_;
    SeatKeeper seat_;
    FirmCheck check_;
    Firmer firmer_;
    Putter putter_;
    Taker taker_;
    Settler settler_;
    Expirer expirer_;
    Sweeper sweeper_;
    MailReader mail_;
    Watchman watchman_;
    std::array<Task*, 9> tasks_;
    std::int64_t beats_seen_ = -1;  // of this box
    SeatState state_seen_ = SeatState::away;
};

}  // namespace smsrack::cluster
