/// The begin of a receiver's answer, for people: printable characters only, so that it can be shown
/// on any terminal and in any log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace smsrack::posting {

inline constexpr std::size_t excerpt_max = 200;

/// Of the first excerpt_max octets those that ASCII can print; others are one blank.
[[nodiscard]] inline std::string answer_excerpt(std::string_view body) {
    std::string shown;
    for (const char c : body.substr(0, excerpt_max)) {
        const bool prints = c > ' ' && c < '\x7F';
        if (prints || (!shown.empty() && shown.back() != ' ')) {
            shown += prints ? c : ' ';
        }
    }
    if (shown.ends_with(' ')) {
        shown.pop_back();
    }
    return shown;
}

}  // namespace smsrack::posting
