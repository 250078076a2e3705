/// The API call about scaling: how many modems the load needs, what the controller sees now, and
/// its last decisions with the indicators that caused them.
#pragma once

#include "src/api/call.hpp"
#include "src/ports/rack_view.hpp"
#include "src/wire/json_writer.hpp"

namespace smsrack::api {

/// `?limit=` decisions, newest first.
void get_scaling(Call call);

/// The controller as `status` shows it; null where it is off.
void append_scaling(wire::JsonWriter& json, const ports::ScalingView& view);

}  // namespace smsrack::api
