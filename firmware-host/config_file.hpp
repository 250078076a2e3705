/// The configuration's text from its file.
#pragma once

#include "src/config/toml_bounds.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace smsrack::host {

/// nullopt if it can't be read. A larger file than its reader takes is read up to one octet more, for the reader to refuse.
[[nodiscard]] std::optional<std::string> read_config(
    const std::string& path, std::size_t bytes_max = config::toml_bytes_max);

}  // namespace smsrack::host
