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
/// Threads: step() on the dispatch thread; the listener's calls from any thread.
/// Source:  [EBAS] dispatcher; [SMSEngine] M/M/c discipline.
#pragma once

#include "src/base/worker.hpp"
#include "src/dispatch/desk.hpp"
#include "src/dispatch/dispatch_world.hpp"
#include "src/dispatch/giving.hpp"
#include "src/dispatch/lines.hpp"
#include "src/dispatch/returns.hpp"
#include "src/line/modem_line.hpp"

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
    void add_line(ModemId id, std::uint16_t group,
                  std::optional<ports::UncertainAttempt> left_open);
    /// The operator blocked it in an earlier run. After connect_line().
    void begin_blocked(ModemId id);
    /// Lines are made after the dispatcher, which they report to.
    void connect_line(ModemId id, line::ModemLine& line);

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
    void work_waits(GroupId group, Level level);
    void due_hint(WallTime at) { mailbox_.push(DueHint{at}); }
    /// Whether the line is given work; it ends what it holds. `done` may be empty.
    void gate(ModemId line, ports::GateOrder order, ports::GateDone done) {
        mailbox_.push(GateOrdered{line, order, std::move(done)});
    }
    /// From now on no line gets anything; what is in flight ends.
    void stop_giving() { mailbox_.push(StopGiving{}); }
    /// While these pauses hold their messages wait; what is in flight ends.
    void pauses_changed(std::vector<ports::Pause> pauses) {
        mailbox_.push(PausesChanged{std::move(pauses)});
    }
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
    /// What other threads see of it, as the last step left it.
    struct Gauges {
        std::atomic<std::size_t> in_hand = 0;
        std::atomic<std::size_t> places_taken = 0;
        std::atomic<SteadyTime::rep> starves_since = never.time_since_epoch().count();
    };

    void on(const WorkWaits& mail);
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
    void on(const Finished& mail) { desk_.release(mail.slot); }
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

    // -- lines
    /// Something about the line has changed.
    void keep_event(ModemId line, std::string detail);
    void cools(ModemId line, std::chrono::nanoseconds left);
    void answer_gate(GateOrdered& mail, ports::GateAnswer answer);
    [[nodiscard]] bool holds_something(ModemId line) const;
    void note_drained();

    DispatchWorld world_;
    DispatchBox mailbox_;
    std::vector<DispatchMail> mail_;  // being read; keeps its memory
    Desk desk_;
    Lines lines_;
    std::vector<line::ModemLine*> modem_lines_;  // by id
    Giving giving_;
    Returns returns_;
    Gauges gauges_;
    SteadyTime now_ = {};  // of this turn
    bool stopping_ = false;
};

}  // namespace smsrack::dispatch
