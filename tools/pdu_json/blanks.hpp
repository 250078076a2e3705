/// A line of input without the blanks around it.
#pragma once

#include <string_view>

namespace smsrack::tools {

[[nodiscard]] inline std::string_view without_blanks(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = line.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return line.substr(first, line.find_last_not_of(blanks) + 1 - first);
}

}  // namespace smsrack::tools
