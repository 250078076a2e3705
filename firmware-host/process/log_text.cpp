#include "firmware-host/process/log_text.hpp"

#include "src/base/unseen.hpp"

#include <algorithm>
#include <string_view>

namespace smsrack::host {
namespace {

/// Nearly every value: it is shown as it is, and reads as one word.
bool is_plain_word(std::string_view value) {
    const auto is_plain = [](char c) {
        return c > ' ' && c < '\x7f' && c != '"' && c != '=' && c != '\\';
    };
    return !value.empty() && std::ranges::all_of(value, is_plain);
}

bool needs_quotes(std::string_view value) {
    return value.empty() || value.find_first_of(" \"=\\") != std::string_view::npos;
}

/// Quoted where it would not read as one word.
void append_value(std::string& line, std::string_view text) {
    if (is_plain_word(text)) {
        line += text;
        return;
    }
    std::string escaped;
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            escaped += '\\';
        }
        escaped += c;
    }
    const std::string value = seen_text(escaped);
    const bool quoted = needs_quotes(value);
    line += quoted ? "\"" : "";
    line += value;
    line += quoted ? "\"" : "";
}

}  // namespace

std::string fields_text(std::initializer_list<LogField> fields) {
    std::string text;
    for (const LogField& field : fields) {
        text += text.empty() ? "" : " ";
        text += field.name;
        text += '=';
        append_value(text, field.value);
    }
    return text;
}

}  // namespace smsrack::host
