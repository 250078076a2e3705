/// Counts what waits for each webhook, one after the other.
///
/// Threads: loop thread.
#pragma once

#include "src/base/result.hpp"
#include "src/webhook/webhooks.hpp"

#include <functional>
#include <vector>

namespace smsrack::api {

/// In the order of the webhooks; none where `webhooks` is null. `webhooks` outlives the answer, or
/// there is none.
/// Errors:  storage.
using MeasuredAll = std::move_only_function<void(Result<std::vector<webhook::Measured>>)>;
void measure_all(webhook::Webhooks* webhooks, MeasuredAll done);

}  // namespace smsrack::api
