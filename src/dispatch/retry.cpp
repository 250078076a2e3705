#include "src/dispatch/retry.hpp"

#include <algorithm>
#include <limits>

namespace smsrack::dispatch {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds pause_max = 1h;  // doubling ends here
// a line that died, or may not send: another one soon
constexpr std::chrono::milliseconds lost_pause = 200ms;

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

bool same_cause(const Cause& a, const Cause& b) {
    return a.kind == b.kind && a.code == b.code;
}

/// Attempts of this segment that ended like this one, this one included.
std::uint16_t tries_of(const SubmitEnd& end) {
    const auto alike = std::ranges::count_if(end.past, [&](const PastAttempt& past) {
        return past.segment == end.segment && same_cause(past.cause, end.outcome.cause);
    });
    return static_cast<std::uint16_t>(alike + 1);
}

bool was_in_doubt(const SubmitEnd& end) {
    return end.in_doubt || std::ranges::any_of(end.past, [&](const PastAttempt& past) {
               return past.segment == end.segment && past.outcome == OutcomeKind::unknown;
           });
}

/// The SIM or the modem is at fault: the message moves to another line at once, the first time.
bool moves(CauseClass cause_class) {
    return cause_class == CauseClass::modem || cause_class == CauseClass::quota;
}

Verdict again(const SubmitEnd& end, const CauseInfo& info, CauseClass cause_class,
              const RetrySettings& settings, Random& random) {
    const std::chrono::milliseconds base = info.pause ? *info.pause : settings.base;
    const bool at_once = moves(cause_class) && end.failures == 0 && !info.pause;
    return {.event = MessageEvent::not_sent,
            .due_in = at_once ? lost_pause : pause_after(end.failures, base, random),
            .counts_as_failure = true,
            .rest_line = moves(cause_class) || cause_class == CauseClass::network,
            .cause_class = cause_class,
            .detail = "retry"};
}

/// Attempts that a cause of this class is given, where its row names no number.
std::uint16_t tries_by_class(CauseClass cause_class) {
    const bool once = cause_class == CauseClass::permanent || cause_class == CauseClass::bug;
    return once ? std::uint16_t{1} : std::numeric_limits<std::uint16_t>::max();
}

std::string word_of(CauseClass cause_class) {
    switch (cause_class) {
        case CauseClass::permanent:
            return "refused";
        case CauseClass::bug:
            return "bug";
        default:
            return "retries_spent";
    }
}

Verdict by_cause(const SubmitEnd& end, bool pdu_sent, const ErrorTable& errors,
                 const RetrySettings& settings, Random& random) {
    const CauseInfo& info = errors.info(end.outcome.cause);
    const CauseClass cause_class = info.class_of(pdu_sent);
    if (info.arrived && was_in_doubt(end)) {
        return {.event = MessageEvent::accepted, .detail = "duplicate_refused"};
    }
    if (cause_class == CauseClass::ambiguous) {
        Verdict doubt = unknown(settings);
        doubt.cause_class = cause_class;
        return doubt;
    }
    Verdict verdict = again(end, info, cause_class, settings, random);
    const std::uint16_t tries = info.tries.value_or(tries_by_class(cause_class));
    if (tries_of(end) >= tries || end.failures + 1 >= settings.limit) {
        verdict.event = MessageEvent::give_up;
        verdict.due_in.reset();
        verdict.ends_message = true;
        verdict.detail = word_of(cause_class);
    }
    return verdict;
}

}  // namespace

Verdict judge(const SubmitEnd& end, const ErrorTable& errors, const RetrySettings& settings,
              Random& random) {
    switch (end.outcome.kind) {
        case OutcomeKind::accepted:
            return {.event = MessageEvent::accepted};
        case OutcomeKind::open:
        case OutcomeKind::unknown:
            return unknown(settings);
        case OutcomeKind::not_sent:
            if (end.outcome.cause.kind == CodeKind::none) {
                return {
                    .event = MessageEvent::not_sent, .due_in = lost_pause, .detail = "line_lost"};
            }
            return by_cause(end, false, errors, settings, random);
        case OutcomeKind::refused:
            break;
    }
    return by_cause(end, end.pdu_sent, errors, settings, random);
}

bool without_validity(std::span<const PastAttempt> past, const ErrorTable& errors) {
    return std::ranges::any_of(past, [&](const PastAttempt& attempt) {
        return attempt.outcome != OutcomeKind::accepted &&
               errors.info(attempt.cause).without_validity;
    });
}

}  // namespace smsrack::dispatch
