/// Writes the effective configuration as JSON, with the same keys as the file.
#pragma once

#include "src/config/settings.hpp"
#include "src/wire/json.hpp"

namespace smsrack::cli {

/// A modem has all its values, those of [defaults] too. What is not set is null.
[[nodiscard]] wire::Json settings_as_json(const config::Settings& settings);

}  // namespace smsrack::cli
