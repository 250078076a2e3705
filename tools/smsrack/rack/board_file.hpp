/// Reads a board's description for the commands.
///
/// Errors:  bad_data: a line for each fault, with file, line and key, has been said; failed: it can't be read.
#pragma once

#include "src/config/board.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <filesystem>

namespace smsrack::cli {

[[nodiscard]] Outcome<config::Board> load_board_file(const std::filesystem::path& file,
                                                     Context& context);

}  // namespace smsrack::cli
