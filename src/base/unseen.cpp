#include "src/base/unseen.hpp"

#include "src/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace smsrack {
namespace {

struct Range {
    char32_t first;
    char32_t last;
};

constexpr std::array unseen{
    Range{0x0000, 0x001F},   Range{0x007F, 0x009F},    // C0, DEL, C1
    Range{0x00AD, 0x00AD},   Range{0x034F, 0x034F},    // soft hyphen, grapheme joiner
    Range{0x061C, 0x061C},                             // Arabic letter mark
    Range{0x115F, 0x1160},   Range{0x17B4, 0x17B5},    // fillers
    Range{0x180B, 0x180F},                             // Mongolian separators
    Range{0x200B, 0x200F},   Range{0x2028, 0x202E},    // zero width, marks, line ends, embeddings
    Range{0x2060, 0x206F},   Range{0x3164, 0x3164},    // isolates, filler
    Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},    // byte order mark, filler
    Range{0xFFF0, 0xFFFB},                             // annotations
    Range{0x1BCA0, 0x1BCA3}, Range{0x1D173, 0x1D17A},  // shorthand, music
    Range{0xE0000, 0xE0FFF},                           // tags, supplementary selectors
};
static_assert(std::ranges::is_sorted(unseen, {}, &Range::first));

}  // namespace

bool is_unseen(char32_t character) {
    const auto after = std::ranges::upper_bound(unseen, character, {}, &Range::first);
    return after != unseen.begin() && character <= std::prev(after)->last;
}

std::string seen_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Utf8Step step = next_character(text);
        if (!step.valid) {
            out += "\uFFFD";
        } else if (step.character == U'\n') {
            out += "\\n";
        } else if (!is_unseen(step.character)) {
            out += text.substr(0, step.octets);
        } else if (step.character < 0x100) {
            out += fmt::format("\\x{:02X}", static_cast<unsigned>(step.character));
        } else {
            out += fmt::format("\\u{{{:04X}}}", static_cast<unsigned>(step.character));
        }
        text.remove_prefix(step.octets);
    }
    return out;
}

void append_json_escape(std::string& out, char32_t character) {
    constexpr char32_t first_of_two = 0x10000;
    if (character < first_of_two) {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(character));
        return;
    }
    const char32_t rest = character - first_of_two;
    append_json_escape(out, 0xD800 + (rest >> 10U));
    append_json_escape(out, 0xDC00 + (rest & 0x3FFU));
}

}  // namespace smsrack
