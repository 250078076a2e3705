/// The layout of help: lines of at most 80 columns, and examples below each command.
#pragma once

#include "tools/smsrack/outcome.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace smsrack::cli {

/// Before any command is declared: commands inherit it.
void format_help(CLI::App& app);

/// "Examples:", then a line for each, with "smsrack " before it. Empty without examples.
[[nodiscard]] std::string examples_text(const std::vector<std::string>& examples);

/// The text below the help of a command: its examples, and where the options of all commands are.
[[nodiscard]] std::string footer_of(const std::vector<std::string>& examples);

/// The help of the command that `words` name; none: of the program. usage: there is no such command.
[[nodiscard]] Outcome<std::string> help_of(const CLI::App& app,
                                           const std::vector<std::string>& words);

/// "no command "x"; did you mean "y"? (see `smsrack --help`)".
[[nodiscard]] std::string no_such_word(const CLI::App& app, const std::string& word);

}  // namespace smsrack::cli
