/// Adds a table to the end of a configuration file.
///
/// The file is replaced as a whole, and only by one that the service would start with. Owner, group and rights stay.
/// Errors:  bad_data: with the table it would have a problem (the problems are in `details`); not_allowed; failed.
#pragma once

#include "tools/smsrack/outcome.hpp"

#include <string>
#include <string_view>

namespace smsrack::cli {

/// The text that the file will have; nothing is written.
[[nodiscard]] Outcome<std::string> with_table(const std::string& file, std::string_view table);

/// Writes the text.
[[nodiscard]] Outcome<> replace_config(const std::string& file, std::string_view text);

}  // namespace smsrack::cli
