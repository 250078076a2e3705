/// The metrics of webhooks.
#pragma once

#include "src/base/clock.hpp"
#include "src/stats/metrics_text.hpp"
#include "src/webhook/webhooks.hpp"

#include <vector>

namespace smsrack::api {

/// Nothing where there is no webhook. `measured`: of each, in their order; empty: it is not known.
void append_webhook_metrics(stats::MetricsText& text, const webhook::Webhooks* webhooks,
                            const std::vector<webhook::Measured>& measured, WallTime now);

}  // namespace smsrack::api
