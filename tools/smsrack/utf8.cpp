#include "tools/smsrack/utf8.hpp"

#include <algorithm>
#include <array>

namespace smsrack::cli {
namespace {

struct Range {
    char32_t first;
    char32_t last;
};

constexpr std::array wide{Range{0x1100, 0x115F}, Range{0x2E80, 0xA4CF},   Range{0xAC00, 0xD7A3},
                          Range{0xF900, 0xFAFF}, Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
                          Range{0xFFE0, 0xFFE6}, Range{0x1F300, 0x1FAFF}, Range{0x20000, 0x3FFFD}};
constexpr std::array no_column{Range{0x0300, 0x036F}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
                               Range{0xFE00, 0xFE0F}};

bool is_in(const auto& ranges, char32_t c) {
    return std::ranges::any_of(
        ranges, [c](const Range& range) { return c >= range.first && c <= range.last; });
}

}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const Utf8Step step = next_character(text);
        if (!step.valid) {
            return false;
        }
        text.remove_prefix(step.octets);
    }
    return true;
}

std::size_t columns_of_character(char32_t character) {
    if (is_in(no_column, character)) {
        return 0;
    }
    return is_in(wide, character) ? 2 : 1;
}

}  // namespace smsrack::cli
