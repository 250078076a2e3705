/// The way back: what the lines report about segments becomes rows, retries and doubts.
///
/// What a full disk refuses is written again after a pause.
/// Time:    the injected Clock for what is written; steady time is the caller's.
/// Threads: the dispatch thread.
#pragma once

#include "src/dispatch/desk.hpp"
#include "src/dispatch/dispatch_world.hpp"
#include "src/dispatch/ends.hpp"
#include "src/dispatch/line_news.hpp"
#include "src/dispatch/lines.hpp"
#include "src/dispatch/refused_writes.hpp"

#include <functional>
#include <string>

namespace smsrack::dispatch {

class Returns {
public:
    using GoOn = std::move_only_function<void(ModemId)>;
    /// All outlive the object. `go_on`: the line may begin the next segment of its message.
    Returns(const RetrySettings& settings, const DispatchWorld& world, Desk& desk, Lines& lines,
            DispatchStore& store, LineNews& news, GoOn go_on);

    // -- from a line
    void segment_ended(ModemId line, const ports::SegmentDone& done, SteadyTime now);
    void late_answer(const ports::LateSegment& late);
    void earlier_answer(ModemId line, const SubmitOutcome& outcome);

    // -- from the store
    void overdue(const OverdueUncertain& mail);
    void refused(EndNotKept& mail, SteadyTime now);
    void refused(const NotDropped& mail, SteadyTime now) { refused_.add(mail.message, now); }
    void refused(NotPutOff& mail, SteadyTime now);

    // -- time
    void repeat_refused(SteadyTime now);
    /// Messages that have begun and whose SIM did not come back in time.
    void drop_lost(SteadyTime now);
    void move_times(const ClockMove& move) { refused_.move_times(move); }
    [[nodiscard]] SteadyTime deadline() const { return refused_.deadline(); }

private:
    void not_begun(const ports::SegmentDone& done, SteadyTime now);
    void ended(ModemId line, const ports::SegmentDone& done, SteadyTime now);
    void count(ModemId line, const ports::SegmentDone& done);
    void write(Ended ended);
    void found(const ports::UncertainAttempt& attempt, const SubmitOutcome& outcome,
               std::string detail);
    void give_up(const ports::UncertainAttempt& doubt);
    void drop(MessageId message);

    const UncertainPolicy policy_;
    DispatchWorld world_;
    Desk& desk_;
    Lines& lines_;
    DispatchStore& store_;
    LineNews& news_;
    GoOn go_on_;
    Ends ends_;
    RefusedWrites refused_;
};

}  // namespace smsrack::dispatch
