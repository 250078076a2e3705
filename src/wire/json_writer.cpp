#include "src/wire/json_writer.hpp"

#include <cmath>

namespace smsrack::wire {
namespace {

constexpr bool needs_escape(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

void append_escaped(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    switch (c) {
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        default:
            break;
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
        }
    }
    out_.append(text.substr(from));
    out_ += '"';
}

}  // namespace smsrack::wire
