#include "src/webhook/retry.hpp"

#include <algorithm>

namespace smsrack::webhook {

Answer answer_of(int status) {
    constexpr int gone = 410;
    return status >= 200 && status < 300 ? Answer::delivered
           : status == gone              ? Answer::gone
                                         : Answer::failed;
}

std::optional<std::chrono::seconds> asked_pause(int status,
                                                std::optional<std::chrono::seconds> retry_after) {
    constexpr int too_many = 429;
    constexpr int unavailable = 503;
    if ((status != too_many && status != unavailable) || !retry_after ||
        retry_after->count() <= 0) {
        return std::nullopt;
    }
    return std::min<std::chrono::seconds>(*retry_after, retry_after_max);
}

std::chrono::milliseconds jittered(std::chrono::seconds pause, Random& random) {
    const std::chrono::milliseconds whole = pause;
    const auto part = static_cast<std::uint64_t>(whole.count() * jitter_percent / 100);
    return whole - std::chrono::milliseconds(part) +
           std::chrono::milliseconds(random.below(2 * part + 1));
}

Verdict judge_failure(std::uint32_t tries, WallTime first_at, std::chrono::hours retry,
                      WallTime now, Random& random) {
    const WallTime last = first_at + retry;
    if (now >= last) {
        return {.state = ports::DeliveryState::dead};
    }
    const std::chrono::seconds pause = pauses.at(std::min<std::size_t>(tries, pauses.size() - 1));
    return {.next_at = std::min(now + jittered(pause, random), last)};
}

}  // namespace smsrack::webhook
