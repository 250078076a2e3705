/// The dispatcher: gives the next message to a free line of its group, and decides what follows
/// each end.
///
/// One queue, c servers: nothing is bound to a line that is not free, so a slow or hung line delays
/// at most the one message it holds. What does not fit in memory stays in the store, so memory is
/// bounded whatever the backlog.
///
/// Here is its turn: mail, timers, gates. The rules are in its parts, each with its own test. Desk
/// has the messages in memory (Window, Holds, Begun, ClockMoves, Due), Lines the table of lines.
/// Giving is the way out (may_send, Routes), Returns the way back (Ends).
/// Time:    the injected Clock; step(now) does all that is due.
/// Threads: step() on the dispatch thread. Other threads use DispatchAddress.
/// Source:  [EBAS] dispatcher; [SMSEngine] M/M/c discipline.
#pragma once

#include "src/base/worker.hpp"
#include "src/dispatch/desk.hpp"
#include "src/dispatch/dispatch_world.hpp"
#include "src/dispatch/giving.hpp"
#include "src/dispatch/lines.hpp"
#include "src/dispatch/returns.hpp"
#include "src/line/line_address.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace smsrack::dispatch {

class Dispatcher final : public Stepper {
public:
    Dispatcher(const DispatchSettings& settings, const DispatchWorld& world);

    // -- before the threads start
    /// A group and its number of lines; gives its index.
    std::uint16_t add_group(GroupId id, std::string name, std::size_t lines);
    /// `address` outlives the dispatcher, and so does `quota` (null: it has none). Gives the send queue
    /// of its group.
    queue::SendQueue& add_line(ModemId id, std::uint16_t group, line::LineAddress& address,
                               const line::SimQuota* quota,
                               std::optional<ports::UncertainAttempt> left_open);
    /// The operator blocked it in an earlier run.
    void begin_blocked(ModemId id);

    /// The line resumes with this message in flight; gives the slot that it has now.
    [[nodiscard]] queue::SlotNumber adopt(ModemId line, SimId sim, queue::OutSlot content);
    /// SIMs that cooled in the run before.
    void adopt(const std::vector<CoolingCarried>& cooling) { lines_.adopt(cooling); }

    SteadyTime step(SteadyTime now) override;
    /// When its thread has ended, and nothing is given any more: writes the ends that lines have
    /// reported.
    void settle();
    /// After settle().
    [[nodiscard]] std::vector<CoolingCarried> cooling() const { return lines_.cooling(); }

    // -- from any thread
    /// Messages in flight; 0 after stop_giving() means that all has ended.
    [[nodiscard]] std::size_t in_hand() const {
        return gauges_.in_hand.load(std::memory_order_acquire);
    }
    /// Messages that have a place in memory, in flight or not, as the last step left it.
    [[nodiscard]] std::size_t in_memory() const {
        return gauges_.places_taken.load(std::memory_order_relaxed);
    }
    /// Since when a line that may send is free although a message is ready; never: none is.
    [[nodiscard]] SteadyTime starves_since() const {
        return SteadyTime(
            SteadyTime::duration(gauges_.starves_since.load(std::memory_order_relaxed)));
    }

private:
    /// What other threads see of it, as the last step left it.
    struct Gauges {
        std::atomic<std::size_t> in_hand = 0;
        std::atomic<std::size_t> places_taken = 0;
        std::atomic<SteadyTime::rep> starves_since = never.time_since_epoch().count();
    };

    void on(const WorkWaits& mail);
    void on(AboutToQueue& mail) { desk_.about_to_queue(std::move(mail.message), now_); }
    void on(Loaded& mail) { desk_.loaded(mail, now_); }
    void on(DueTaken& mail) { desk_.due_taken(mail, now_); }
    void on(const NextDue& mail) { desk_.next_due(mail); }
    void on(const OverdueUncertain& mail) { returns_.overdue(mail); }
    void on(const DueHint& mail) { desk_.due.messages.at(mail.at); }
    void on(const Encoded& mail) { giving_.encoded(mail); }
    void on(const LineReady& mail);
    void on(const LineLost& mail);
    void on(const SegmentEnded& mail);
    void on(const LateAnswered& mail) { returns_.late_answer(mail.late); }
    void on(const EarlierAnswered& mail) { returns_.earlier_answer(mail.line, mail.outcome); }
    void on(const DoubtsDecided&) { (void)desk_.due.doubts.answered(); }
    void on(const Finished& mail) { desk_.finished(mail); }
    void on(const SweepOn&) { desk_.due.sweep_again(now_); }
    void on(const TimesMoved& mail);
    void on(GateOrdered& mail);
    void on(const StopGiving&) { stopping_ = true; }
    void on(const PausesChanged& mail);
    void on(const CancelOn&) { cancel_batches(); }

    // -- time
    [[nodiscard]] SteadyTime run_timers();
    void sweep();
    void cancel_batches();
    void watch_clock();
    void check_clock();
    void begin_move(const ClockMove& move, std::string_view what);
    void move_times(const ClockMove& move);
    void note_gauges();
    void note_eager();

    // -- lines
    /// Something about the line has changed.
    void keep_event(ModemId line, std::string detail);
    void cools(ModemId line, std::chrono::nanoseconds left);
    void answer_gate(GateOrdered& mail, ports::GateAnswer answer);
    [[nodiscard]] bool holds_something(ModemId line) const;
    void note_drained();

    DispatchWorld world_;
    DispatchBox& mailbox_;
    std::vector<DispatchMail> mail_;  // being read; keeps its memory
    Desk desk_;
    Lines lines_;
    std::vector<line::LineAddress*> addresses_;  // by id
    Giving giving_;
    Returns returns_;
    Gauges gauges_;
    SteadyTime now_ = {};  // of this turn
    bool stopping_ = false;
};

}  // namespace smsrack::dispatch
