/// Reads what the gate says in its calls about webhooks.
///
/// Errors:  bad_request or bad_encoding, with the member's name first in `context`.
#pragma once

#include "src/api/call.hpp"
#include "src/base/result.hpp"
#include "src/webhook/exchange.hpp"
#include "src/webhook/test_desk.hpp"
#include "src/webhook/webhook.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::api {

/// Deliveries or results in one request: more than the gate ever holds of one webhook.
inline constexpr std::size_t gate_list_max = 1'000;

struct TakeRequest {
    webhook::Take take = {};  ///< without its functions
    std::string config = {};  ///< hash of the gate's settings
};
[[nodiscard]] Result<TakeRequest> take_request(std::string_view body);

struct ResultsRequest {
    std::vector<webhook::AttemptResult> results = {};
    std::vector<std::pair<std::string, webhook::TestReport>> tests = {};
};
[[nodiscard]] Result<ResultsRequest> results_request(std::string_view body);

/// The webhook of the path; null, and answered: there is none of this name.
[[nodiscard]] webhook::Webhook* webhook_of(const Call& call);

}  // namespace smsrack::api
