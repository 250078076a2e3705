#include "tools/smsrack/screen/wrap.hpp"

#include "src/base/utf8.hpp"
#include "tools/smsrack/screen/console.hpp"

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

constexpr std::size_t text_min = 20;  // columns; a narrower text next to its name can't be read

std::string_view without_blanks_before(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return text;
}

std::string without_blanks_behind(std::string_view text) {
    return std::string(text.substr(0, text.find_last_not_of(' ') + 1));
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

std::string_view cut_to(std::string_view text, std::size_t columns) {
    std::size_t octets = 0;
    for (std::size_t used = 0; octets < text.size();) {
        const Utf8Step step = next_character(text.substr(octets));
        used += columns_of_character(step.character);
        if (used > columns) {
            break;
        }
        octets += step.octets;
    }
    return text.substr(0, octets);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    while (columns > 0 && columns_of(text) > columns) {
        std::string_view line = cut_to(text, columns);
        if (line.empty()) {  // a wide character, and no room for it
            line = text.substr(0, next_character(text).octets);
        }
        const bool ends_a_word = text.substr(line.size()).starts_with(' ');
        const std::size_t blank = ends_a_word ? line.size() : line.find_last_of(' ');
        if (blank != std::string_view::npos && line.find_first_not_of(' ') < blank) {
            line = line.substr(0, blank);
        }
        lines.push_back(without_blanks_behind(line));
        text = without_blanks_before(text.substr(line.size()));
    }
    if (!text.empty() || lines.empty()) {
        lines.emplace_back(text);
    }
    return lines;
}

std::string hanging(std::string_view first, std::string_view text, std::size_t columns) {
    const std::size_t indent = columns_of(first);
    const std::size_t room = columns > indent + text_min ? columns - indent : columns;
    const std::size_t left = room == columns ? 0 : indent;
    std::string out(first);
    bool is_first = true;
    for (const std::string& line : wrapped(text, columns == 0 ? 0 : room)) {
        if (is_first && left == 0 && indent > 0 && columns > 0) {
            out += '\n';  // no room next to the name: below it
        }
        out += (is_first ? std::string() : std::string(left, ' ')) + line + '\n';
        is_first = false;
    }
    return out;
}

}  // namespace smsrack::cli
