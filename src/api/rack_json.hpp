/// Describes in JSON how messages arrive, and whether M/M/c holds for that.
#pragma once

#include "src/ports/rack_view.hpp"
#include "src/wire/json_writer.hpp"

#include <string>

namespace smsrack::api {

/// "messages come in bursts (index of dispersion 14.2; ...), so M/M/c predicts waits that are too short".
[[nodiscard]] std::string arrival_words(const ports::Arrivals& arrivals);

/// The waits that M/M/c predicts are wrong for such arrivals.
[[nodiscard]] bool breaks_model(const ports::Arrivals& arrivals);

/// The member "arrivals".
void append_arrivals(wire::JsonWriter& json, const ports::Arrivals& arrivals);

}  // namespace smsrack::api
