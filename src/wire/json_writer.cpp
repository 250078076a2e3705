#include "src/wire/json_writer.hpp"

#include "src/base/unseen.hpp"
#include "src/base/utf8.hpp"

#include <cmath>

namespace smsrack::wire {
namespace {

constexpr bool needs_escape(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

/// DEL, and the first octet of a character that is_unseen() may name.
constexpr bool may_be_unseen(char c) {
    const auto octet = static_cast<unsigned char>(c);
    constexpr std::string_view first = "\x7F\xC2\xCD\xD8\xE1\xE2\xE3\xEF\xF0\xF3";
    return octet >= 0x7F && first.contains(c);
}

void append_escaped(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::string_view plain = "\"\\\n\r\t";
    constexpr std::string_view short_form = "\"\\nrt";
    if (const std::size_t place = plain.find(c); place != std::string_view::npos) {
        out += '\\';
        out += short_form[place];
        return;
    }
    const auto octet = static_cast<unsigned char>(c);
    out += "\\u00";
    out += digits[octet >> 4U];
    out += digits[octet & 0x0FU];
}

}  // namespace

void JsonWriter::value(double number) {
    separate();
    if (!std::isfinite(number)) {
        out_ += "null";
        return;
    }
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out_.append(digits.data(), end);
}

void JsonWriter::quote(std::string_view text) {
    out_ += '"';
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (needs_escape(text[i])) {
            out_.append(text.substr(from, i - from));
            append_escaped(out_, text[i]);
            from = i + 1;
        } else if (may_be_unseen(text[i])) {
            const Utf8Step step = next_character(text.substr(i));
            if (step.valid && is_unseen(step.character)) {
                out_.append(text.substr(from, i - from));
                append_json_escape(out_, step.character);
                from = i + step.octets;
                i = from - 1;
            }
        }
    }
    out_.append(text.substr(from));
    out_ += '"';
}

}  // namespace smsrack::wire
