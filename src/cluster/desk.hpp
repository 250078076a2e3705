/// The desk of the fleet: what one box does so that several boxes are one gateway.
///
/// An address (wake, mailbox), a turn for each part, and the parts: the seat, and one task for each
/// thing that goes between the store of this box and the engine of all.
/// Time:    each beat wakes all tasks; the store's listener wakes those that have something to do by what it has
///          kept.
/// Threads: step() by the thread `cluster`; wake(), post(), may_begin() by any; all else by that thread.
#pragma once

#include "src/base/mailbox.hpp"
#include "src/base/worker.hpp"
#include "src/cluster/firm_check.hpp"
#include "src/cluster/fleet_scaler.hpp"
#include "src/cluster/followers.hpp"
#include "src/cluster/forgetter.hpp"
#include "src/cluster/giver.hpp"
#include "src/cluster/loner.hpp"
#include "src/cluster/mail_reader.hpp"
#include "src/cluster/orders.hpp"
#include "src/cluster/putter.hpp"
#include "src/cluster/questions.hpp"
#include "src/cluster/returner.hpp"
#include "src/cluster/rule_reader.hpp"
#include "src/cluster/rule_teller.hpp"
#include "src/cluster/seat_keeper.hpp"
#include "src/cluster/settler.hpp"
#include "src/cluster/sim_sharer.hpp"
#include "src/cluster/stray_teller.hpp"
#include "src/cluster/taker.hpp"
#include "src/cluster/upgrader.hpp"
#include "src/cluster/watchman.hpp"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace smsrack::cluster {

/// What the desk asks of this box, and what it notifies it of; all on the desk's thread.
struct BoxSide {
    std::function<ports::BoxReport()> report;
    std::function<std::vector<GroupPace>()> groups;
    OnConflict conflict;
    /// FleetWorld::give_up.
    std::function<void(MessageId message, std::function<void(Result<>)> done)> give_up;
    std::function<void()> changed = {};  ///< a beat was answered, or the seat is another one
    ScalerSide scaling = {};
    UpgradeSide upgrade = {};
    AnswerQuestion answer = {};  ///< of other boxes
};

class FleetDesk final : public Stepper, public Executor {
public:
    /// All outlive the object, and so does it the answers that they owe it.
    FleetDesk(ports::ClusterEngine& engine, ports::FleetStore& store, const Clock& clock,
              Waiter& waiter, const FleetSettings& settings, const BoxSide& box);
    ~FleetDesk() override;

    SteadyTime step(SteadyTime now) override;
    /// Messages began to wait here, or ended; `stop`: a recipient wants no more.
    void wake(bool stop = false);
    void post(Job job) override { jobs_.push(std::move(job)); }

    /// FleetIntake::follow(), on the desk's thread.
    void follow(ports::Accepted accepted, ports::FleetChecks checks,
                ports::Done<ports::Accepted> done);
    /// FleetControl::follow_rules(), on the desk's thread.
    void follow_rules(ports::Done<Kept> done);
    /// ports::SimShares, on any thread.
    void follow_sim(ModemId line, SimSharer::InSlot sim, SimSharer::Told told);
    void leave_sim(ModemId line);
    /// Does what was posted, and answers all clients that wait, where no thread steps it any more.
    void end();

    /// This box may begin firm messages.
    [[nodiscard]] bool may_begin() const { return seat_.permission().may_begin(); }
    [[nodiscard]] bool knows_rules(Level level) const { return rules_.knows_rules(level); }
    [[nodiscard]] const SeatKeeper& seat() const { return seat_; }
    [[nodiscard]] const FleetWorld& world() const { return world_; }
    [[nodiscard]] const FleetScaler& scaler() const { return scaler_; }
    [[nodiscard]] Orders& orders() { return orders_; }
    [[nodiscard]] Questions& questions() { return questions_; }
    [[nodiscard]] Upgrader& upgrader() { return upgrader_; }
    [[nodiscard]] const Upgrader& upgrader() const { return upgrader_; }

private:
    void run_jobs();
    void give_turns();
    [[nodiscard]] bool is_excluded(const Task* task) const;
    void answer_alone(MessageId message);

    FleetSettings settings_;
    Mailbox<Job> jobs_;
    std::vector<Job> running_ = {};
    FleetWorld world_;
    SeatKeeper seat_;
    Orders orders_;
    Followers followers_ = {};
    FirmCheck check_;
    Firmer firmer_;
    Putter putter_;
    Taker taker_;
    Settler settler_;
    Expirer expirer_;
    Sweeper sweeper_;
    Upgrader upgrader_;
    Questions questions_;
    MailReader mail_;
    Watchman watchman_;
    Loner loner_;
    Giver giver_;
    Forgetter forgetter_;
    RuleTeller teller_;
    RuleReader rules_;
    SimSharer sims_;
    FleetScaler scaler_;
    Returner returner_;
    StrayTeller strays_;
    std::array<Task*, 18> tasks_;
    std::function<void()> changed_;
    std::int64_t beats_seen_ = -1;  // of this box
    SeatState state_seen_ = SeatState::away;
};

}  // namespace smsrack::cluster
