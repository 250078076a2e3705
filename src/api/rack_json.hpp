/// Writes the rack in JSON: words of its lines, how messages arrive and whether M/M/c holds for
/// that, and the scaling controller.
#pragma once

#include "src/api/call.hpp"
#include "src/ports/rack_view.hpp"
#include "src/wire/json_writer.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace smsrack::api {

/// not_found, with the names that there are.
[[nodiscard]] Error no_such_modem(const Call& call);

/// The words of the API.
[[nodiscard]] std::string_view link_name(ports::LinkState link);
[[nodiscard]] std::string_view registration_name(ports::Registration registration);
[[nodiscard]] std::string_view severity_name(const ports::Condition& condition);
[[nodiscard]] std::string_view stops_name(const ports::Condition& condition);

/// "messages come in bursts (index of dispersion 14.2; ...), so M/M/c predicts waits that are too
/// short".
[[nodiscard]] std::string arrival_words(const ports::Arrivals& arrivals);

/// The waits that M/M/c predicts are wrong for such arrivals.
[[nodiscard]] bool breaks_model(const ports::Arrivals& arrivals);

/// The member "arrivals".
void append_arrivals(wire::JsonWriter& json, const ports::Arrivals& arrivals);

/// Seconds from `since` to `now`, 0 at least; nullopt if it is.
[[nodiscard]] std::optional<double> seconds_since(std::optional<WallTime> since, WallTime now);

/// The member "conditions".
void append_conditions(wire::JsonWriter& json, const std::vector<ports::Condition>& conditions);

/// The controller as `status` shows it; null where it is off.
void append_scaling(wire::JsonWriter& json, const ports::ScalingView& view);
/// Its members alone.
void append_scaling_members(wire::JsonWriter& json, const ports::ScalingView& view);

}  // namespace smsrack::api
