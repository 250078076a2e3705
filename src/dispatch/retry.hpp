/// What follows the end of one submit: pure judgement, by the class of its cause.
///
/// Source:  contract config.md [queue]; design field.md 4.4, 4.5.
#pragma once

#include "src/base/random.hpp"
#include "src/sms/message_states.hpp"
#include "src/sms/outcome.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
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

struct Verdict {
    MessageEvent event = MessageEvent::accepted;  ///< what happens to the segment
    std::optional<std::chrono::milliseconds> due_in =
        {};  ///< next attempt, or the policy for an unknown outcome
    bool counts_as_failure = false;
    bool ends_message = false;  ///< the segments not yet taken are cancelled
    bool rest_line = false;     ///< modem or SIM at fault: the line pauses, another one takes over
    std::string detail = {};    ///< one word for the history
};

/// `failures`: how many times the message failed transiently before this.
[[nodiscard]] Verdict judge(const SubmitOutcome& outcome, bool pdu_sent, std::uint16_t failures,
                            const RetrySettings& settings, Random& random);

}  // namespace smsrack::dispatch
