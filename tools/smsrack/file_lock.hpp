/// Keeps a file for one process that reads, changes and replaces it.
///
/// Errors:  not_allowed, failed; try_later: another one holds it for ten seconds.
#pragma once

#include "tools/client/unique_fd.hpp"
#include "tools/smsrack/outcome.hpp"

#include <filesystem>
#include <string_view>

namespace smsrack::cli {

/// While the result is held, no other process changes the file. Only a process that may write to the
/// folder can hold it, and none waits for ever. `who`: the command, for the other one's message.
[[nodiscard]] Outcome<client::UniqueFd> hold_file(const std::filesystem::path& file,
                                                  std::string_view who);

}  // namespace smsrack::cli
