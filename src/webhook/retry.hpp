/// What follows from the answer to an attempt: delivered, tried again after a pause, or dead.
///
/// Pure; the caller brings time and chance.
/// Source:  docs/webhooks.md; Standard Webhooks 1.0.0 (retries); RFC 9110 10.2.3 (Retry-After).
#pragma once

#include "src/base/clock.hpp"
#include "src/base/random.hpp"
#include "src/ports/webhook_store.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace smsrack::webhook {

/// After the first, second ... failure of an event; the last one repeats.
inline constexpr std::array<std::chrono::seconds, 11> pauses{
    std::chrono::seconds(5),  std::chrono::seconds(30), std::chrono::minutes(2),
    std::chrono::minutes(10), std::chrono::minutes(30), std::chrono::hours(1),
    std::chrono::hours(2),    std::chrono::hours(4),    std::chrono::hours(8),
    std::chrono::hours(12),   std::chrono::hours(16)};
/// So that many events that failed together do not come back together.
inline constexpr int jitter_percent = 20;
/// A receiver may ask for this pause at most.
inline constexpr std::chrono::hours retry_after_max{1};

enum class Answer : std::uint8_t {
    delivered,  ///< 2xx
    gone,       ///< 410: the receiver wants nothing more
    failed,     ///< anything else, redirects too, and no answer
};

/// `status` of HTTP; 0: there was no answer.
[[nodiscard]] Answer answer_of(int status);

/// The pause that 429 and 503 may ask for, of all requests; nullopt: none.
[[nodiscard]] std::optional<std::chrono::seconds> asked_pause(
    int status, std::optional<std::chrono::seconds> retry_after);

/// `pause` longer or shorter by up to jitter_percent.
[[nodiscard]] std::chrono::milliseconds jittered(std::chrono::seconds pause, Random& random);

struct Verdict {
    ports::DeliveryState state = ports::DeliveryState::waiting;
    WallTime next_at = {};  ///< while it waits
};

/// Of one that was not delivered. `tries`: attempts before this one, the first at `first_at`. The
/// last attempt is made when `retry` has passed since the first; if it fails, the event is dead.
[[nodiscard]] Verdict judge_failure(std::uint32_t tries, WallTime first_at,
                                    std::chrono::hours retry, WallTime now, Random& random);

}  // namespace smsrack::webhook
