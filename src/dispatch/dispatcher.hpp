/// The dispatcher: gives the next message to a free line of its group, and decides what follows
/// each end.
///
/// One queue, c servers: nothing is bound to a line that is not free, so a slow or hung line delays
/// at most the one message it holds. What does not fit into memory stays in the store and is loaded
/// again (refill), so memory is bounded whatever the backlog. Time:    the injected Clock;
/// step(now) does all that is due. Threads: step() on the dispatch thread; the listener's calls
/// from any thread. Source:  [EBAS] dispatcher; [SMSEngine] M/M/c discipline.
#pragma once

#include "src/base/executor.hpp"
#include "src/base/guarded_clock.hpp"
#include "src/base/log.hpp"
#include "src/base/mailbox.hpp"
#include "src/base/random.hpp"
#include "src/base/worker.hpp"
#include "src/codec/send_codec.hpp"
#include "src/dispatch/cooling.hpp"
#include "src/dispatch/dispatch_mail.hpp"
#include "src/dispatch/flow_meter.hpp"
#include "src/dispatch/group.hpp"
#include "src/dispatch/level_share.hpp"
#include "src/dispatch/retry.hpp"
#include "src/line/may_send.hpp"
#include "src/line/modem_line.hpp"
#include "src/ports/control_store.hpp"
#include "src/ports/rack_store.hpp"
#include "src/ports/store.hpp"
#include "src/queue/out_slot.hpp"
#include "src/rules/quiet_hours.hpp"
#include "src/sms/ageing.hpp"
#include "src/stats/stats.hpp"

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace smsrack::dispatch {

/// Lines of each group that only take the top levels, so that one of these finds one free.
struct KeptLines {
    std::size_t lines = 0;  ///< of those that are ready; one is always left to all
    Level least = 0;        ///< the level that a message must have been accepted with
};

struct DispatchSettings {
    RetrySettings retry = {};
    std::chrono::milliseconds disconnect{
        30'000};  ///< how long a begun long message waits for its SIM
    std::chrono::milliseconds submit_timeout{120'000};
    CoolingSettings cooling = {};
    AgeingRules ageing = {};
    KeptLines kept = {};
};

/// What the dispatcher works with; all outlive it.
struct DispatchWorld {
    ports::Store& store;
    Executor& codec_pool;
    codec::SendCodec& codec;
    queue::OutSlots& slots;
    Waiter& waiter;
    const Clock& clock;
    Random& random;
    const ErrorTable& errors;
    stats::Stats& stats;
    FlowMeter& flow;
    line::LineBoard& board;
    Log& log;
    GuardedClock* guard = nullptr;             ///< the clock; null: one that nobody sets
    ports::RackStore* rack_store = nullptr;    ///< where a person's gates are kept; null: nowhere
    ports::ControlStore* control = nullptr;    ///< null: nothing is paused or cancelled
    const rules::QuietHours* quiet = nullptr;  ///< where there are any
};

/// The clock was set: what was dated before it.
void move_message(OutMessage& message, const ClockMove& move);
void move_end(ports::AttemptEnd& end, const ClockMove& move);

class Dispatcher final : public Stepper {
public:
    Dispatcher(DispatchSettings settings, DispatchWorld world);

    // -- before the threads start
    /// A group and its number of lines; gives its index.
    std::uint16_t add_group(GroupId id, std::string name, std::size_t lines);
    void add_line(ModemId id, std::uint16_t group,
                  std::optional<ports::UncertainAttempt> left_open);
    /// A person had blocked it before this start. After connect_line().
    void begin_blocked(ModemId id);
    /// Lines are made after the dispatcher, which they report to.
    void connect_line(ModemId id, line::ModemLine& line);

    /// The line was taken over with this message in its hand; gives the slot that it has now.
    [[nodiscard]] queue::SlotNumber adopt(ModemId line, SimId sim, queue::OutSlot content);
    /// SIMs that rested in the run before.
    void adopt(const std::vector<CoolingCarried>& cooling) { cooling_.adopt(cooling); }

    SteadyTime step(SteadyTime now) override;
    /// When its thread has ended, and nothing is given any more: the ends that lines have told are written.
    void settle();
    /// After settle().
    [[nodiscard]] std::vector<CoolingCarried> cooling() const { return cooling_.carried(); }

    // -- from any thread
    void work_waits(GroupId group, Level level);
    void due_hint(WallTime at) { mailbox_.push(DueHint{at}); }
    /// Whether the line is given work; what it holds it ends. `done` may be empty.
    void gate(ModemId line, ports::GateOrder order, ports::GateDone done) {
        mailbox_.push(GateOrdered{line, order, std::move(done)});
    }
    /// From now on no line gets anything; what is in hand ends.
    void stop_giving() { mailbox_.push(StopGiving{}); }
    /// What waits for as long as these hold is not given out; what is in hand ends.
    void pauses_changed(std::vector<ports::Pause> pauses) {
        mailbox_.push(PausesChanged{std::move(pauses)});
    }
    /// Messages in a line's hand; 0 after stop_giving() means that all is ended.
    [[nodiscard]] std::size_t in_hand() const { return in_hand_.load(std::memory_order_acquire); }
    /// Messages that have a place in memory, those with a line too; the rest of the queue waits in the store. As the last step left it. Any thread.
    [[nodiscard]] std::size_t in_memory() const {
        return places_taken_.load(std::memory_order_relaxed);
    }
    /// Since when a line that may send stands free beside a message that is ready; never: none does.
    [[nodiscard]] SteadyTime starves_since() const {
        return SteadyTime(SteadyTime::duration(starves_since_.load(std::memory_order_relaxed)));
    }

    void line_ready(ModemId line, SimId sim) { mailbox_.push(LineReady{line, sim}); }
    void line_lost(ModemId line) { mailbox_.push(LineLost{line}); }
    void segment_done(ModemId line, ports::SegmentDone done) {
        mailbox_.push(SegmentEnded{line, std::move(done)});
    }
    void late_answer(ModemId, ports::LateSegment late) { mailbox_.push(LateAnswered{late}); }
    void earlier_attempt(ModemId line, SubmitOutcome outcome) {
        mailbox_.push(EarlierAnswered{line, outcome});
    }

private:
    struct Line {
        line::ModemLine* line = nullptr;
        std::uint16_t group = 0;
        SimId sim = {};
        bool ready = false;
        bool met = false;    // it was ready in this run, so its SIM is known
        bool holds = false;  // a slot is in its hand
        ports::LineGate gate = ports::LineGate::open;
        SteadyTime rests_until = SteadyTime::min();
        std::optional<SteadyTime> cools_until = {};
        std::optional<ports::UncertainAttempt> left_open = {};  // by an earlier process
    };
    /// A long message that some segments of were taken: it waits for its SIM.
    struct Pinned {
        queue::SlotNumber slot;
        SteadyTime until;
    };

    void on(const WorkWaits& mail);
    void on(Loaded& mail);
    void on(DueTaken& mail);
    void on(const NextDue& mail);
    void on(const OverdueUncertain& mail);
    void on(const DueHint& mail);
    void on(Encoded& mail);
    void on(const LineReady& mail);
    void on(const LineLost& mail);
    void on(SegmentEnded& mail);
    void on(const LateAnswered& mail);
    void on(const EarlierAnswered& mail);
    void on(EndNotKept& mail);
    void on(const NotDropped& mail);
    void on(const NotPutOff& mail);
    void on(const SweepOn& mail);
    void on(const TimesMoved& mail);
    void on(GateOrdered& mail);
    void on(const StopGiving& mail);
    void on(const PausesChanged& mail);
    void on(const CancelOn& mail);

    // gates: dispatcher_gate.cpp
    bool holds_something(const Line& line) const;
    void answer_gate(GateOrdered& mail, ports::LineGate from, ports::LineGate to);
    void told_gate(ModemId line);
    void note_emptied();

    // giving: dispatcher_give.cpp
    void pump(std::uint16_t group);
    void space_starts(Group& group);
    void give_pinned(Group& group);
    void give_encoded(Group& group, bool kept);
    void give(ModemId line, queue::SlotNumber slot);
    void encode(std::uint16_t group);
    std::optional<Turn> next_to_encode(Group& group, WallTime now);
    bool make_room(Group& group, const Turn& turn, WallTime now);
    /// `all`: the usual order. `promoted`: the turn of those that were promoted to the top, which the top's own messages do not take.
    enum class Lane : std::uint8_t { all, promoted };
    bool store_may_have_better(const Group& group, const Turn& turn, WallTime now,
                               Lane lane = Lane::all) const;
    void refill(std::uint16_t group);
    void keep_lines(std::uint16_t group);
    bool ends_here(queue::SlotNumber slot);
    bool line_may_send(const Line& line) const;

    // sticky recipients: dispatcher_sticky.cpp
    line::Route route_of(const Line& line, const OutMessage& message) const;
    bool can_send(const Line& line, const OutMessage& message) const;
    SimId known_sim(const OutMessage& message) const;
    void note_sticky(const Line& line, OutMessage& message);

    // the SIMs' limits: dispatcher_quota.cpp
    line::MaySend may_send(const Line& line, queue::SlotNumber slot);
    queue::Look look_at(const Line& from, queue::SlotNumber slot);
    bool keeps_for_pinned(const Line& line) const;
    void room_at(const ports::QuotaPause& pause);
    bool nobody_takes(std::uint16_t group, queue::SlotNumber slot) const;
    void set_aside(Group& group);
    void look_again(Group& group);

    // pauses and quiet hours: dispatcher_pauses.cpp
    std::optional<WallTime> waits_until(const OutMessage& message) const;
    bool waits(const OutMessage& message) const { return waits_until(message).has_value(); }
    void note_resumed(BatchId batch, WallTime at);
    bool waited_for_a_person(const OutMessage& message) const;
    void put_back(queue::SlotNumber slot);
    void put_off(const NotPutOff& message);
    void set_aside_paused(Group& group);
    void empty_paused(Group& group);
    void look_at_quiet_hours();
    bool level_is_quiet(Level level) const;
    void cancel_batches();

    void note_refusals(ModemId line, const SubmitOutcome& outcome);
    void cool(ModemId line, SteadyTime until);
    void stop_cooling(SteadyTime now);

    // ends: dispatcher_ends.cpp
    void not_begun(ports::SegmentDone& done);
    std::chrono::milliseconds apply(const ports::SegmentDone& done, ModemId line);
    void log_bug(const Verdict& verdict, Cause cause, MessageId message);
    void keep_end(ports::AttemptEnd end);
    void resolve(const ports::UncertainAttempt& attempt, const SubmitOutcome& outcome,
                 std::string detail);
    void apply_policy(const ports::UncertainAttempt& attempt);

    // time: dispatcher_time.cpp
    SteadyTime run_timers(SteadyTime now);
    [[nodiscard]] bool may_take_due() const;
    [[nodiscard]] std::size_t retry_room(std::uint16_t group, Level level) const;
    [[nodiscard]] std::vector<ports::DueWishes::Retries> retry_wishes() const;
    void look_for_retries();
    void take_due();
    void look_for_overdue();
    void sweep();
    void note_places();
    void watch_clock();
    void check_clock();
    void begin_move(const ClockMove& move, std::string_view what);
    void move_times();
    void move_in_hand(const ClockMove& move);
    void set_right(OutMessage& message);
    void note_starving();
    void drop_pinned(SteadyTime now);
    void drop(MessageId message);
    void retry_ends(SteadyTime now);
    void due_at(WallTime at);
    void load_due();
    bool sim_present(SimId sim) const;
    bool sim_may_come(SteadyTime now) const;

    void load(OutMessage message);
    void wait_again(queue::SlotNumber slot);
    void release(queue::SlotNumber slot);
    [[nodiscard]] LevelShare share() const;

    const DispatchSettings settings_;
    DispatchWorld world_;
    Mailbox<DispatchMail> mailbox_;
    std::vector<DispatchMail> mail_;
    std::deque<Group> groups_;
    std::vector<Line> lines_;
    std::map<GroupId, std::uint16_t> group_of_;
    std::deque<std::array<std::atomic<bool>, level_count>>
        work_told_;  // by group: a WorkWaits is in the box
    std::vector<Pinned> pinned_;
    std::vector<ModemId> draining_;      // shut, and something is in their hand
    std::vector<OutMessage> due_taken_;  // wait for a slot; no more than were wished for
    std::unordered_map<std::uint64_t, SimId>
        sticky_sims_;  // by hash of the recipient, since this process gave one; bound: slots
    bool sticky_waits_ = false;  // one stands beside a free line, since its SIM is busy
    std::unordered_set<MessageId> in_memory_;  // so that no message stands twice in the queues
    std::vector<ports::AttemptEnd> ends_not_kept_;
    std::vector<MessageId> not_dropped_;  // on the disk they are still to be sent
    std::vector<NotPutOff> not_put_off_;  // on the disk they are in our hand
    Cooling cooling_;
    SteadyTime next_room_ = never;  // in a quota that something waits for
    std::atomic<std::size_t> in_hand_ = 0;
    std::atomic<std::size_t> places_taken_ = 0;
    std::atomic<SteadyTime::rep> starves_since_ = never.time_since_epoch().count();
    std::vector<ClockMove> moves_ = {};  // of the clock, by this process
    std::unordered_map<MessageId, std::vector<ClockMove>> to_move_;  // of those in memory
    bool moving_ = false;  // the store's times: until it has, nothing expires and nothing is read
    bool move_again_ = false;  // it could not
    SteadyTime now_ = {};
    std::optional<SteadyTime> began_ = {};  // the first step of this run
    std::optional<WallTime> next_due_;      // earliest known
    bool due_asked_ = false;
    WallTime due_asked_at_ = {};
    std::vector<ports::DueWishes::Retries> retries_wished_;  // of what is asked for
    std::optional<WallTime> next_overdue_;                   // of uncertain attempts
    bool overdue_asked_ = false;
    SteadyTime next_sweep_ = {};
    SteadyTime next_retry_of_ends_ = never;
    std::unordered_set<BatchId> held_batches_;     // paused, or cancelled
    std::map<BatchId, WallTime> resumed_batches_;  // of late, resumed_max at most
    WallTime resumed_before_ = WallTime::min();    // batches that are no longer in it
    std::optional<WallTime> quiet_until_ = {};     // of the levels that keep quiet hours
    bool look_at_encoded_ = false;                 // some of it may have to wait after all
    bool stopping_ = false;
};

}  // namespace smsrack::dispatch
