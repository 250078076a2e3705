/// What follows the end of one submit: pure judgement, by the class of its cause.
///
/// Source:  docs/man/smsrack.toml.5, [queue]; src/causes/errors.toml.
#pragma once

#include "src/base/random.hpp"
#include "src/sms/error_table.hpp"
#include "src/sms/message.hpp"
#include "src/sms/message_states.hpp"
#include "src/sms/outcome.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace smsrack::dispatch {

enum class UncertainPolicy : std::uint8_t {
    report,  ///< resolved by a late answer or a status report, else failed: never sent again
    resend,  ///< sent again: at least once
    hold,    ///< a person decides
};

struct RetrySettings {
    std::uint16_t limit = 3;                ///< attempts on transient errors, at least 1
    std::chrono::milliseconds base{5'000};  ///< pause after the first; doubles, with jitter
    std::chrono::milliseconds uncertain_after{900'000};  ///< until the policy is applied
    UncertainPolicy uncertain = UncertainPolicy::report;
};

/// One end of a submit, and what else is known of the message.
struct SubmitEnd {
    SubmitOutcome outcome = {};
    bool pdu_sent = false;
    std::uint8_t segment = 0;
    std::uint16_t failures = 0;  ///< how many times the message failed transiently before this
    std::span<const PastAttempt> past = {};
    bool in_doubt = false;  ///< this attempt itself was unknown until now
};

struct Verdict {
    MessageEvent event = MessageEvent::accepted;  ///< what happens to the segment
    /// next attempt, or the policy for an unknown outcome
    std::optional<std::chrono::milliseconds> due_in = {};
    bool counts_as_failure = false;
    bool ends_message = false;                  ///< the segments not yet taken are cancelled
    bool rest_line = false;                     ///< modem, SIM or network at fault: the line pauses
    CauseClass cause_class = CauseClass::none;  ///< that it follows from
    std::string detail = {};                    ///< one word for the history
};

[[nodiscard]] Verdict judge(const SubmitEnd& end, const ErrorTable& errors,
                            const RetrySettings& settings, Random& random);

/// True where an earlier attempt ended in a code after which no validity period is asked for.
[[nodiscard]] bool without_validity(std::span<const PastAttempt> past, const ErrorTable& errors);

}  // namespace smsrack::dispatch
