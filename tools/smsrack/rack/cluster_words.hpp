/// What `smsrack cluster check` and `join` say of the engine.
#pragma once

#include "src/ports/cluster_engine.hpp"
#include "src/wire/json.hpp"
#include "tools/smsrack/screen/console.hpp"

#include <string>
#include <vector>

namespace smsrack::cli {

/// As GET /v1/cluster/check answers.
[[nodiscard]] wire::Json facts_json(const std::vector<ports::EngineFact>& facts);
/// A table of such an answer, and what to do about each fact that is not good.
[[nodiscard]] std::string facts_text(const wire::Json& answer, const Console& console);

/// What to add to the words of an order that all boxes of a fleet obey; empty: they do, or there is no fleet.
[[nodiscard]] std::string here_only(const wire::Json& answer);

}  // namespace smsrack::cli
