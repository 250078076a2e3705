/// The way back: what the lines report about segments becomes rows, retries and doubts.
///
/// Time:    the injected Clock for what is written; steady time is the caller's.
/// Threads: the dispatch thread.
#pragma once

#include "src/dispatch/desk.hpp"
#include "src/dispatch/dispatch_world.hpp"
#include "src/dispatch/ends.hpp"
#include "src/dispatch/lines.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace smsrack::dispatch {

/// What Returns has done to a line.
struct LineCalls {
    /// The line may begin the next segment of its message.
    std::move_only_function<void(ModemId)> go_on;
    /// Its SIM was refused too often, and rests for this long.
    std::move_only_function<void(ModemId, Cause, std::chrono::milliseconds)> cools;
};

class Returns {
public:
    /// All outlive the object.
    Returns(const RetrySettings& settings, const DispatchWorld& world, Desk& desk, Lines& lines,
            DispatchBox& mailbox, LineCalls calls);

    // -- from a line
    void segment_ended(ModemId line, const ports::SegmentDone& done, SteadyTime now);
    void late_answer(const ports::LateSegment& late);
    void earlier_answer(ModemId line, const SubmitOutcome& outcome);

    // -- outcomes that are unknown for too long
    /// Answered by OverdueUncertain.
    void ask_for_doubts(WallTime now);
    /// Decides by the policy, which is answered by DoubtsDecided. Until then nothing more is asked
    /// for, so that nothing is decided twice while the disk is full.
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
    void decide(const ports::UncertainAttempt& doubt, bool last);

    const UncertainPolicy policy_;
    DispatchWorld world_;
    Desk& desk_;
    Lines& lines_;
    DispatchBox& mailbox_;
    LineCalls calls_;
    Ends ends_;
};

}  // namespace smsrack::dispatch
