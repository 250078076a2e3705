/// The result of a command: an exit code, or a failure reported in one line on standard error.
///
/// Source:  docs/man/smsrack.1, "EXIT STATUS"; sysexits.h.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::cli {

enum class ExitCode : std::uint8_t {
    done = 0,
    failed = 1,        ///< anything not named below
    warning = failed,  ///< of `check`, like the two that follow
    critical = 2,
    unknown = 3,
    usage = 64,        ///< wrong options
    bad_data = 65,     ///< the input is wrong, not the command
    unreachable = 69,  ///< the service does not answer
    try_later = 75,    ///< overloaded, or not known yet
    not_allowed = 77,
};

struct Failure {
    ExitCode code = ExitCode::failed;
    std::string message = {};  ///< what is wrong, where, and what to do; one line, no newline
    std::vector<std::string> details = {};  ///< said before it, a line each
    std::string problem = {};               ///< code of the API's problem; empty: it was none
};

/// The stable word of a code, for programs.
[[nodiscard]] constexpr std::string_view exit_word(ExitCode code) {
    switch (code) {
        case ExitCode::done:
            return "done";
        case ExitCode::usage:
            return "usage";
        case ExitCode::bad_data:
            return "bad_data";
        case ExitCode::unreachable:
            return "unreachable";
        case ExitCode::try_later:
            return "try_later";
        case ExitCode::not_allowed:
            return "not_allowed";
        case ExitCode::critical:
            return "critical";
        case ExitCode::unknown:
            return "unknown";
        case ExitCode::failed:
            break;
    }
    return "failed";
}

template <typename T = ExitCode>
using Outcome = std::expected<T, Failure>;

[[nodiscard]] inline std::unexpected<Failure> failure(ExitCode code, std::string message) {
    return std::unexpected(Failure{.code = code, .message = std::move(message)});
}

/// The same failure in other words: its code, problem and details stay.
[[nodiscard]] inline std::unexpected<Failure> in_words(Failure failure, std::string message) {
    failure.message = std::move(message);
    return std::unexpected(std::move(failure));
}

}  // namespace smsrack::cli
