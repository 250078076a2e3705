/// The way back: what the lines report about segments becomes rows, retries and doubts.
///
/// Time:    the injected Clock for what is written; steady time is the caller's.
/// Threads: the dispatch thread.
#pragma once

#include "src/dispatch/desk.hpp"
#include "src/dispatch/dispatch_world.hpp"
#include "src/dispatch/ends.hpp"
#include "src/dispatch/line_news.hpp"
#include "src/dispatch/lines.hpp"

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

    /// Messages that have begun and whose SIM did not come back in time fail, or under the policy
    /// `resend` all of it is sent again by another SIM.
    void drop_lost(SteadyTime now);

private:
    void not_begun(const ports::SegmentDone& done, SteadyTime now);
    void ended(ModemId line, const ports::SegmentDone& done, SteadyTime now);
    void count(ModemId line, const ports::SegmentDone& done);
    void write(Ended ended);
    void found(const ports::UncertainAttempt& attempt, const SubmitOutcome& outcome,
               std::string detail);

    const UncertainPolicy policy_;
    DispatchWorld world_;
    Desk& desk_;
    Lines& lines_;
    DispatchStore& store_;
    LineNews& news_;
    GoOn go_on_;
    Ends ends_;
};

}  // namespace smsrack::dispatch
