/// The input of a command: a file, or standard input where it is called "-".
#pragma once

#include "tools/client/unique_fd.hpp"
#include "tools/smsrack/outcome.hpp"

#include <cstdint>
#include <string>

namespace smsrack::cli {

/// bad_data: it can't be read.
[[nodiscard]] Outcome<client::UniqueFd> open_input(const std::string& file);

/// Octets; 0 where that is not known, as of a pipe.
[[nodiscard]] std::uint64_t size_of_input(const client::UniqueFd& input);

/// For messages: the file, or "standard input".
[[nodiscard]] std::string name_of_input(const std::string& file);

}  // namespace smsrack::cli
