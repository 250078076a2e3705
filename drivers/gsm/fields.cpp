#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <charconv>

namespace smsrack::gsm {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// Where the field that begins at the front of `text` ends.
std::size_t field_end(std::string_view text) {
    bool quoted = false;
    const auto end = std::ranges::find_if(text, [&quoted](char c) {
        quoted = quoted != (c == '"');
        return c == ',' && !quoted;
    });
    return static_cast<std::size_t>(end - text.begin());
}

/// With its quotes, so that 12 and "12" differ.
std::string_view raw_field(std::string_view line, std::size_t index) {
    return parameter(line.substr(line.find(':') + 1), index);  // npos + 1 is 0
}

}  // namespace

std::string_view parameter(std::string_view text, std::size_t index) {
    for (; index > 0; --index) {
        const auto end = field_end(text);
        if (end == text.size()) {
            return {};
        }
        text.remove_prefix(end + 1);
    }
    return trimmed(text.substr(0, field_end(text)));
}

std::string_view field(std::string_view line, std::size_t index) {
    auto raw = raw_field(line, index);
    if (raw.starts_with('"')) {
        raw.remove_prefix(1);
    }
    if (raw.ends_with('"')) {
        raw.remove_suffix(1);
    }
    return raw;
}

std::optional<int> number_field(std::string_view line, std::size_t index) {
    const auto raw = raw_field(line, index);
    int number = 0;
    const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), number);
    if (raw.empty() || error != std::errc{} || end != raw.data() + raw.size()) {
        return std::nullopt;
    }
    return number;
}

}  // namespace smsrack::gsm
