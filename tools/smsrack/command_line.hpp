/// Reads the command line: the options of the program, and the command that is called.
///
/// Errors:  usage, with the sentence that says what is wrong and where help is.
#pragma once

#include "tools/smsrack/command.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>

namespace smsrack::cli {

/// Options of a command that prints a text which is known already: of --help, --version and `completion bash`.
struct JustPrint {
    std::string text = {};
};

struct CommandLine {
    std::string socket = {};
    bool json = false;
    bool wide = false;   ///< tables as wide as they are, also on a narrow terminal
    bool local = false;  ///< times of this computer's zone
    Command command = {};
};

/// `default_socket`: where --socket is not given.
[[nodiscard]] Outcome<CommandLine> parse_command_line(int argc, const char* const* argv,
                                                      const std::string& default_socket);

}  // namespace smsrack::cli
