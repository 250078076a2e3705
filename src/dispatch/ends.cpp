#include "src/dispatch/ends.hpp"

#include <utility>

namespace smsrack::dispatch {
namespace {

using namespace std::chrono_literals;

/// After a fault of the line's modem or SIM, so that another line sends it.
constexpr auto line_rest = 10s;
/// A congested cell. Some recipients' networks answer so too, and must not stop the line.
constexpr auto network_rest = 3s;

std::chrono::milliseconds rest_after(const Verdict& verdict) {
    if (!verdict.rest_line) {
        return 0ms;
    }
    return verdict.cause_class == CauseClass::network ? network_rest : line_rest;
}

}  // namespace

Ended Ends::submitted(const ports::SegmentDone& done, const OutMessage& message,
                      WallTime at) const {
    Verdict verdict = judge({.outcome = done.outcome,
                             .pdu_sent = done.pdu_sent,
                             .segment = done.segment,
                             .failures = message.failures,
                             .past = message.past},
                            errors_, settings_, random_);
    const bool is_doubt = verdict.event == MessageEvent::silence;
    Ended ended{.end = {.attempt = done.attempt,
                        .message = message.id,
                        .segment = done.segment,
                        .outcome = done.outcome,
                        .event = verdict.event,
                        .at = at,
                        .counts_as_failure = verdict.counts_as_failure,
                        .ends_message = verdict.ends_message,
                        .detail = std::move(verdict.detail)},
                .line_rest = rest_after(verdict),
                .is_retry = verdict.due_in && !is_doubt,
                .is_bug = verdict.cause_class == CauseClass::bug};
    if (is_doubt) {
        ended.end.outcome.kind = OutcomeKind::unknown;
    }
    if (verdict.due_in) {
        ended.end.due_at = at + *verdict.due_in;
    }
    return ended;
}

std::optional<Ended> Ends::found(const ports::UncertainAttempt& attempt,
                                 const SubmitOutcome& outcome, std::string detail,
                                 WallTime at) const {
    if (outcome.kind == OutcomeKind::unknown || outcome.kind == OutcomeKind::open) {
        return std::nullopt;
    }
    const Verdict verdict =
        judge({.outcome = outcome, .pdu_sent = true, .segment = attempt.segment, .in_doubt = true},
              errors_, settings_, random_);
    if (verdict.event == MessageEvent::silence) {
        return std::nullopt;  // an ambiguous code
    }
    return Ended{.end = {.attempt = attempt.attempt,
                         .message = attempt.message,
                         .segment = attempt.segment,
                         .outcome = outcome,
                         .event = verdict.event,
                         .at = at,
                         .due_at = at + verdict.due_in.value_or(0ms),
                         .counts_as_failure = verdict.counts_as_failure,
                         .ends_message = verdict.ends_message,
                         .detail = std::move(detail)},
                 .is_bug = verdict.cause_class == CauseClass::bug};
}

ports::EndAttempt Ends::given_up(const ports::UncertainAttempt& attempt, WallTime at) {
    return {.attempt = attempt.attempt,
            .message = attempt.message,
            .segment = attempt.segment,
            .outcome = {.kind = OutcomeKind::unknown},
            .event = MessageEvent::give_up,
            .at = at,
            .ends_message = true,
            .detail = "outcome_unknown"};
}

}  // namespace smsrack::dispatch
