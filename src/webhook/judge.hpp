/// What follows from the result of an attempt, for its event and for the webhook.
///
/// Pure; the caller brings time and chance.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/random.hpp"
#include "src/ports/webhook_store.hpp"
#include "src/webhook/exchange.hpp"

#include <chrono>
#include <optional>

namespace smsrack::webhook {

struct Judgement {
    ports::EndAttempts::End end = {};                ///< of the event
    ports::WebhookLife life = {};                    ///< of the webhook, after it
    std::optional<std::chrono::seconds> pause = {};  ///< of all requests, as the receiver asked
};

/// `life`: before. `retry`: how long an event is tried.
[[nodiscard]] Judgement judge(const AttemptResult& result, const ports::Delivery& delivery,
                              ports::WebhookLife life, std::chrono::hours retry, WallTime now,
                              Random& random);

}  // namespace smsrack::webhook
