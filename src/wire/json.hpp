/// JSON values; nlohmann-json is not visible outside of this module.
///
/// Errors:  bad_request where the text is not one JSON value in valid UTF-8; `detail` is the octet,
/// from 1. For output in a hot path use json_writer.hpp.
#pragma once

#include "src/base/result.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace smsrack::wire {

using Json = nlohmann::json;

/// One JSON value and nothing behind it; at most 64 levels deep.
[[nodiscard]] Result<Json> parse_json(std::string_view text);

}  // namespace smsrack::wire
