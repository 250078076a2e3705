// smsrack: words of the command line -> one command -> exit code, and nothing else.
#include "tools/smsrack/command_line.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/screen/console.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace smsrack::cli {
namespace {

/// What the terminal behind `fd` says; {0, 0} where there is none. A serial console does not know: 80 x 24.
winsize size_of_terminal(int fd) {
    winsize size{};
    if (::isatty(fd) != 1) {
        return size;
    }
    if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
        size.ws_col = 80;
        size.ws_row = 24;
    }
    return size;
}

ConsoleTraits traits_of_surroundings(bool wide) {
    const bool out = ::isatty(STDOUT_FILENO) == 1;
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    const bool addressable = term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
    const winsize size = size_of_terminal(STDOUT_FILENO);
    return {.out_is_terminal = out,
            .err_is_terminal = ::isatty(STDERR_FILENO) == 1,
            .colour = out && (no_color == nullptr || *no_color == '\0'),
            .full_screen = out && addressable,
            .out_columns = wide ? 0U : size.ws_col,
            .out_rows = size.ws_row,
            .err_columns = size_of_terminal(STDERR_FILENO).ws_col};
}

constexpr const char* usual_socket = "/run/smsrack/smsrack.sock";

std::string default_socket() {
    const char* socket = std::getenv("SMSRACK_SOCKET");
    return socket != nullptr && *socket != '\0' ? socket : usual_socket;
}

/// One line of JSON for programs, lines for people; on standard error both.
void tell(const Failure& failure, bool json, Console& console) {
    if (json) {
        wire::Json error{
            {"code", failure.problem.empty() ? exit_word(failure.code) : failure.problem},
            {"exit_code", static_cast<int>(failure.code)},
            {"message", failure.message}};
        if (!failure.details.empty()) {
            error["details"] = failure.details;
        }
        console.note(json_line({{"error", std::move(error)}}));
        return;
    }
    for (const std::string& line : failure.details) {
        console.note(printable(line));
    }
    console.complain(failure.message);
}

int exit_code(const Outcome<>& outcome, bool json, Console& console) {
    if (!outcome) {
        tell(outcome.error(), json, console);
    }
    if (!console.flush() && outcome) {
        tell({.message = "can't write to standard output; what was printed is incomplete"}, json,
             console);
        return static_cast<int>(ExitCode::failed);
    }
    return static_cast<int>(outcome ? *outcome : outcome.error().code);
}

/// Of words that are no command.
bool asks_for_json(int argc, const char* const* argv) {
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    const auto end = std::ranges::find(words, "--");
    return std::find(words.begin(), end, "--json") != end;
}

int run_main(int argc, const char* const* argv) {
    const auto line = parse_command_line(argc, argv, default_socket());
    Console console(traits_of_surroundings(line && line->wide));
    if (!line) {
        return exit_code(std::unexpected(line.error()), asks_for_json(argc, argv), console);
    }
    Context context{.console = console,
                    .socket = line->socket,
                    .socket_given = line->socket != usual_socket,
                    .json = line->json,
                    .times = TimeStyle(line->local ? Zone::local : Zone::utc)};
    return exit_code(line->command.run(context), context.json, console);
}

}  // namespace
}  // namespace smsrack::cli

int main(int argc, char** argv) {
    try {
        return smsrack::cli::run_main(argc, argv);
    } catch (const std::exception& error) {  // memory has run out, or a fault of ours
        (void)std::fputs("smsrack: ", stderr);
        (void)std::fputs(error.what(), stderr);
        (void)std::fputs("\n", stderr);
        return 1;
    }
}
