/// Reads a text file that an administrator writes: the configuration, and the files that it names.
///
/// Errors:  bad_config: it can't be read; `context` is the file's name and the system's reason.
#pragma once

#include "src/base/result.hpp"
#include "src/config/toml_bounds.hpp"

#include <cstddef>
#include <string>

namespace smsrack::host {

/// A larger file than its reader takes is read up to one octet more, for the reader to refuse.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path,
                                                 std::size_t bytes_max = config::toml_bytes_max);

}  // namespace smsrack::host
