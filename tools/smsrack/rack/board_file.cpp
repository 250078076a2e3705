#include "tools/smsrack/rack/board_file.hpp"

#include "tools/smsrack/screen/counted.hpp"
#include "tools/smsrack/whole_file.hpp"

#include <fmt/format.h>
#include <utility>

namespace smsrack::cli {

Outcome<config::Board> load_board_file(const std::filesystem::path& file, Context& context) {
    const auto text = read_small_file(file);
    if (!text) {
        return failure(ExitCode::failed, printable(text.error().context));
    }
    auto board = config::load_board(*text, file.string());
    if (!board) {
        for (const config::ConfigProblem& problem : board.error().problems) {
            context.console.note(printable(board.error().line_of(problem)));
        }
        return failure(ExitCode::bad_data,
                       fmt::format("{}: {}", file.string(),
                                   counted(board.error().problems.size(), "problem")));
    }
    return std::move(*board);
}

}  // namespace smsrack::cli
