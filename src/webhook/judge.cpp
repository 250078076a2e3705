#include "src/webhook/judge.hpp"

#include "src/webhook/life.hpp"
#include "src/webhook/retry.hpp"

#include <fmt/format.h>
#include <string>
#include <utility>

namespace smsrack::webhook {
namespace {

std::string reason_of(const ports::DeliveryAttempt& attempt) {
    return attempt.status == 0 ? attempt.error : fmt::format("HTTP {}", attempt.status);
}

}  // namespace

Judgement judge(const AttemptResult& result, const ports::Delivery& delivery,
                ports::WebhookLife life, std::chrono::hours retry, WallTime now, Random& random) {
    Judgement judged{.end = {.event = result.event, .attempt = result.attempt},
                     .life = std::move(life)};
    const Answer answer = answer_of(result.attempt.status);
    if (answer == Answer::delivered) {
        judged.end.state = ports::DeliveryState::delivered;
        judged.life.failures = 0;
        apply(judged.life, Happened::succeeded, now, {});
        return judged;
    }
    const Verdict verdict =
        judge_failure(delivery.tries, delivery.first_at.value_or(now), retry, now, random);
    judged.end.state = verdict.state;
    judged.end.next_at = verdict.next_at;
    ++judged.life.failures;
    const std::string reason = reason_of(result.attempt);
    if (answer == Answer::gone) {
        apply(judged.life, Happened::gone, now, reason);
    } else if (judged.life.failures >= failures_limit) {
        apply(judged.life, Happened::failed_often, now, reason);
    }
    judged.pause = asked_pause(result.attempt.status, result.retry_after);
    return judged;
}

}  // namespace smsrack::webhook
