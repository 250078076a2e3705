#include "src/dispatch/retry.hpp"

#include "src/sms/error_table.hpp"

#include <algorithm>

namespace smsrack::dispatch {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds pause_max = 1h;  // doubling ends here
constexpr std::chrono::milliseconds lost_pause =
    200ms;                              // a line that died under the message: another one soon
constexpr int duplicate_refused = 197;  // TS 27.005: an earlier attempt had arrived

/// base * 2^failures, spread over 75 to 125 %, so that a group that failed together does not come
/// back together.
std::chrono::milliseconds pause_after(std::uint16_t failures, std::chrono::milliseconds base,
                                      Random& random) {
    constexpr unsigned doublings_max = 16;
    const auto doubled = base * (std::int64_t{1} << std::min<unsigned>(failures, doublings_max));
    const auto pause = std::min(doubled, pause_max);
    const auto jitter =
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(pause.count() / 2 + 1)));
    return pause - pause / 4 + std::chrono::milliseconds(jitter);
}

Verdict unknown(const RetrySettings& settings) {
    Verdict verdict{.event = MessageEvent::silence, .detail = "no_answer"};
    if (settings.uncertain != UncertainPolicy::hold) {
        verdict.due_in = settings.uncertain_after;
    }
    return verdict;
}

Verdict retry(std::uint16_t failures, bool rest_line, const RetrySettings& settings,
              Random& random) {
    if (failures + 1 >= settings.limit) {
        return {.event = MessageEvent::give_up,
                .counts_as_failure = true,
                .ends_message = true,
                .rest_line = rest_line,
                .detail = "retries_spent"};
    }
    return {.event = MessageEvent::not_sent,
            .due_in = pause_after(failures, settings.base, random),
            .counts_as_failure = true,
            .rest_line = rest_line,
            .detail = "retry"};
}

Verdict by_cause(Cause cause, bool pdu_sent, std::uint16_t failures, const RetrySettings& settings,
                 Random& random) {
    switch (cause_info(cause, pdu_sent).cause_class) {
        case CauseClass::permanent:
            return {.event = MessageEvent::give_up, .ends_message = true, .detail = "refused"};
        case CauseClass::bug:
            return {.event = MessageEvent::give_up, .ends_message = true, .detail = "bug"};
        case CauseClass::ambiguous:
            return unknown(settings);
        case CauseClass::modem:
        case CauseClass::quota:
            return retry(failures, true, settings, random);
        case CauseClass::none:
        case CauseClass::transient:
        case CauseClass::network:
            break;
    }
    return retry(failures, false, settings, random);
}

}  // namespace

Verdict judge(const SubmitOutcome& outcome, bool pdu_sent, std::uint16_t failures,
              const RetrySettings& settings, Random& random) {
    switch (outcome.kind) {
        case OutcomeKind::accepted:
            return {.event = MessageEvent::accepted};
        case OutcomeKind::open:
        case OutcomeKind::unknown:
            return unknown(settings);
        case OutcomeKind::not_sent:
            if (outcome.cause.kind == CodeKind::none) {
                return {
                    .event = MessageEvent::not_sent, .due_in = lost_pause, .detail = "line_lost"};
            }
            return by_cause(outcome.cause, false, failures, settings, random);
        case OutcomeKind::refused:
            break;
    }
    if (outcome.cause.kind == CodeKind::cms && outcome.cause.code == duplicate_refused) {
        return {.event = MessageEvent::accepted, .detail = "duplicate_refused"};
    }
    return by_cause(outcome.cause, pdu_sent, failures, settings, random);
}

}  // namespace smsrack::dispatch
