/// Validates UTF-8 input for the alphabets and writes UTF-8 from them.
///
/// Errors:  overlong forms, surrogates, values above U+10FFFF and cut sequences are not UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack::pdu {

struct CodePoint {
    char32_t value = 0;
    std::uint8_t octets = 0;  ///< 0: not valid UTF-8
};

/// A character that starts at text[at] with an octet above 7F.
[[nodiscard]] CodePoint long_code_point_at(std::string_view text, std::size_t at);

/// The character that starts at text[at]; `at` is inside.
[[nodiscard]] inline CodePoint code_point_at(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    return first < 0x80 ? CodePoint{first, 1} : long_code_point_at(text, at);
}

/// Writes 1 to 4 octets; gives the place behind. `character` is no surrogate.
[[nodiscard]] char* put_utf8(char* out, char32_t character);

inline constexpr char32_t replacement_character = 0xFFFD;

}  // namespace smsrack::pdu
