/// What follows the end of an attempt: the outcome is judged, and becomes what the store must
/// write.
///
/// Decides, and changes nothing.
/// Time:    wall; the caller's.
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/random.hpp"
#include "src/dispatch/retry.hpp"
#include "src/ports/line.hpp"
#include "src/ports/store.hpp"
#include "src/sms/error_table.hpp"
#include "src/sms/message.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace smsrack::dispatch {

/// The decision about one attempt. After a silence the policy is applied at `end.due_at`, if any.
struct Ended {
    ports::EndAttempt end;
    std::chrono::milliseconds line_rest{0};  ///< its modem, SIM or network is at fault
    bool is_retry = false;                   ///< it is tried again at `end.due_at`
    bool is_bug = false;  ///< a PDU of ours is wrong: the operator must hear of it
};

class Ends {
public:
    /// `errors` and `random` outlive the object.
    Ends(const ErrorTable& errors, const RetrySettings& settings, Random& random)
        : errors_(errors), settings_(settings), random_(random) {}

    /// A line has ended one segment of this message.
    [[nodiscard]] Ended submitted(const ports::SegmentDone& done, const OutMessage& message,
                                  WallTime at) const;
    /// Evidence about an attempt whose outcome was unknown; nullopt: it is as unknown as before.
    /// What is left of the message is due at `end.due_at` in any case.
    [[nodiscard]] std::optional<Ended> found(const ports::UncertainAttempt& attempt,
                                             const SubmitOutcome& outcome, std::string detail,
                                             WallTime at) const;
    /// The outcome has stayed unknown for too long, and the message fails.
    [[nodiscard]] static ports::EndAttempt given_up(const ports::UncertainAttempt& attempt,
                                                    WallTime at);

private:
    const ErrorTable& errors_;
    const RetrySettings settings_;
    Random& random_;
};

}  // namespace smsrack::dispatch
