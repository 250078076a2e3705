#include "src/base/utf8.hpp"

#include <array>

namespace smsrack {
namespace {

/// How many octets a character that begins with `first` has; 0: none begins so.
std::size_t length_of(unsigned char first) {
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first < 0xE0) {
        return 2;
    }
    if (first >= 0xE0 && first < 0xF0) {
        return 3;
    }
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

}  // namespace

Utf8Step next_character(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = length_of(first);
    if (length == 0 || length > text.size()) {
        return {};
    }
    if (length == 1) {
        return {.character = first, .octets = 1, .valid = true};
    }
    char32_t character = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto octet = static_cast<unsigned char>(text[i]);
        if ((octet & 0xC0U) != 0x80U) {
            return {};
        }
        character = (character << 6U) | (octet & 0x3FU);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
    if (character < least.at(length) || surrogate || character > 0x10FFFF) {
        return {};
    }
    return {.character = character, .octets = length, .valid = true};
}

bool is_utf8(std::string_view text) {
    constexpr unsigned char ascii_end = 0x80;
    while (!text.empty()) {
        if (static_cast<unsigned char>(text.front()) < ascii_end) {
            text.remove_prefix(1);
            continue;
        }
        const Utf8Step step = next_character(text);
        if (!step.valid) {
            return false;
        }
        text.remove_prefix(step.octets);
    }
    return true;
}

}  // namespace smsrack
