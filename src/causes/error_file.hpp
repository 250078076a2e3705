/// Reads the table of causes from TOML, one row per code or range. The product's own table is part
/// of the program; an administrator's file overrides rows of it.
///
/// Errors:  every fault of the text, with its line; nothing is taken from a file with a fault.
#pragma once

#include "src/config/problem.hpp"
#include "src/sms/error_table.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::causes {

/// errors.toml of this folder, as it was when the program was built.
[[nodiscard]] std::string_view built_in_text();

/// The rows of a file. `file` is the name for messages; reading it is the caller's.
[[nodiscard]] std::expected<std::vector<CauseRow>, config::ConfigError> load_causes(
    std::string_view text, const std::string& file);

/// The table of the product alone.
[[nodiscard]] ErrorTable built_in_table();

}  // namespace smsrack::causes
