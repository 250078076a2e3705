/// The fleet as the API shows it.
#pragma once

#include "src/ports/fleet.hpp"
#include "src/stats/metrics_text.hpp"
#include "src/wire/json_writer.hpp"

namespace smsrack::api {

/// What a box without a fleet shows: `joined` false, and nothing else.
void append_fleet(wire::JsonWriter& json, const ports::FleetControl* fleet);
void append_box(wire::JsonWriter& json, const ports::BoxSeen& box, const ports::FleetFacts& facts);
/// Nothing without a fleet.
void append_fleet_metrics(stats::MetricsText& text, const ports::FleetControl* fleet);

}  // namespace smsrack::api
