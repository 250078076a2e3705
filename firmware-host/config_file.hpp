/// The configuration's text from its file.
#pragma once

#include <optional>
#include <string>

namespace smsrack::host {

/// Nothing where it can't be read.
[[nodiscard]] std::optional<std::string> read_config(const std::string& path);

}  // namespace smsrack::host
