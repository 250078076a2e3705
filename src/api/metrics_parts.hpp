/// Parts of GET /metrics: gauges of the modems and of the triggers as they are now.
#pragma once

#include "src/api/call.hpp"
#include "src/ports/rack_view.hpp"
#include "src/stats/metrics_text.hpp"

#include <vector>

namespace smsrack::api {

void append_line_metrics(stats::MetricsText& text, const std::vector<ports::LineView>& lines);

/// Nothing where there are no triggers.
void append_trigger_metrics(stats::MetricsText& text, const Call& call);

}  // namespace smsrack::api
