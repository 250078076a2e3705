/// Accepts a text that begins with "-", such as "-hello", which a command line would take for an
/// option.
#pragma once

#include "tools/smsrack/completion_command.hpp"

#include <string>
#include <vector>

namespace smsrack::cli {

/// The words behind "smsrack", with the text of `send` moved to the end, behind "--", where it can be no option. A text is a word
/// that begins with one "-" and is not "-h", or that begins with "--" and has a blank. Other words stay where they are.
[[nodiscard]] std::vector<std::string> with_text_last(std::vector<std::string> words,
                                                      const CommandNode& root);

}  // namespace smsrack::cli
