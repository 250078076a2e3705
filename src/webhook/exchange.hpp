/// What a webhook and the gate, or an operator, say to each other.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/ports/webhook_store.hpp"
#include "src/webhook/test_desk.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::webhook {

struct TakeAnswer {
    bool superseded = false;  ///< a newer take came; the rest is empty
    ports::WebhookState state = ports::WebhookState::open;
    std::size_t parallel = 1;            ///< attempts at a time
    std::chrono::milliseconds pause{0};  ///< that the receiver asked for
    std::vector<ports::Delivery> deliveries = {};
    std::vector<Test> tests = {};
};

struct Take {
    std::string gate = {};               ///< id of the gate's process
    std::size_t room = 0;                ///< deliveries that it has room for
    std::vector<EventSeq> holding = {};  ///< those that it has
    std::string unusable = {};           ///< why it can't send; empty: it can
    std::move_only_function<void(TakeAnswer)> done = {};
    std::function<bool()> gone = {};  ///< the gate went away
};

struct AttemptResult {
    EventSeq event = {};
    ports::DeliveryAttempt attempt = {};
    std::optional<std::chrono::seconds> retry_after = {};
};

/// Exactly one of `event`, `dead` and `since`.
struct ReplayWish {
    EventSeq event = {};
    bool dead = false;
    std::optional<WallTime> since = {};
    std::optional<WallTime> until = {};  ///< with `since`; nullopt: now
};

}  // namespace smsrack::webhook
