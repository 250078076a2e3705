/// What gate and service say to each other about a webhook: calls take and results, as JSON.
///
/// Errors:  take_answer_of(): protocol: the answer is not what the service of this version says.
/// Source:  docs/decisions/0043-webhooks.md
#pragma once

#include "firmware-host/gate/webhook/post_outcome.hpp"
#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/posting/receiver_request.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::gate {

struct TakenDelivery {
    posting::WebhookEvent event = {};
    std::string number = {};  ///< of the event, as the service names it
    std::int64_t attempt = 0;
};

struct TakeAnswer {
    bool is_open = true;                                  ///< false: failing or off
    bool is_off = false;                                  ///< nothing but tests is sent
    std::size_t parallel = 1;                             ///< requests at a time
    std::optional<std::chrono::milliseconds> pause = {};  ///< nullopt: as before
    std::vector<TakenDelivery> deliveries = {};
    std::vector<posting::WebhookEvent> tests = {};
};

[[nodiscard]] Result<TakeAnswer> take_answer_of(std::string_view json);

struct TakeOrder {
    std::string_view gate = {};             ///< id of this process
    std::string_view config = {};           ///< hash of its settings of the webhook
    std::size_t room = 0;                   ///< deliveries that it has room for
    std::vector<std::string> holding = {};  ///< events that it has: they are not given again
    std::string_view unusable = {};         ///< why it can't send; empty: it can
};
[[nodiscard]] std::string take_json(const TakeOrder& order);

struct DeliveryResult {
    std::string number = {};
    std::int64_t attempt = 0;
    WallTime at = {};  ///< when it began
    PostOutcome outcome = {};
};
struct TestResult {
    std::string id = {};
    PostOutcome outcome = {};
};

[[nodiscard]] std::string results_json(std::string_view gate,
                                       const std::vector<DeliveryResult>& results,
                                       const std::vector<TestResult>& tests);

}  // namespace smsrack::gate
