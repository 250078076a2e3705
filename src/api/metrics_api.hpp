/// GET /metrics: counters and histograms of the service, and gauges of the rack as it is now.
#pragma once

#include "src/api/call.hpp"

namespace smsrack::api {

void get_metrics(Call call);

}  // namespace smsrack::api
