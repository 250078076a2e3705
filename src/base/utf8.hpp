/// Reads UTF-8 one character at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace smsrack {

struct Utf8Step {
    char32_t character = 0xFFFD;
    std::size_t octets = 1;  ///< to advance by
    bool valid = false;      ///< false: no UTF-8 here (also overlong forms and surrogates)
};

/// `text` is not empty.
[[nodiscard]] Utf8Step next_character(std::string_view text);

/// As a whole.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace smsrack
