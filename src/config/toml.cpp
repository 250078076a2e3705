#include "src/config/toml.hpp"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <utility>

namespace smsrack::config {
namespace {

int line_of(const toml::source_region& source) {
    return static_cast<int>(source.begin.line);
}

TomlTable converted(const toml::table& table);

/// toml++ bounds the depth of a document (TOML_MAX_NESTED_VALUES, 256), and so this recursion.
TomlValue converted(const toml::node& node) {
    TomlValue value;
    value.line = line_of(node.source());
    if (const auto* truth = node.as_boolean()) {
        value.content = truth->get();
    } else if (const auto* whole = node.as_integer()) {
        value.content = whole->get();
    } else if (const auto* number = node.as_floating_point()) {
        value.content = number->get();
    } else if (const auto* text = node.as_string()) {
        value.content = text->get();
    } else if (const auto* array = node.as_array()) {
        TomlArray items;
        for (const toml::node& item : *array) {
            items.push_back(converted(item));
        }
        value.content = std::move(items);
    } else if (const auto* table = node.as_table()) {
        value.content = converted(*table);
    } else {
        value.content = TomlDate{};
    }
    return value;
}

TomlTable converted(const toml::table& table) {
    TomlTable result;
    for (const auto& [key, node] : table) {
        result.entries.push_back({.key = std::string(key.str()),
                                  .line = line_of(key.source()),
                                  .value = converted(node)});
    }
    std::ranges::stable_sort(result.entries, {}, &TomlEntry::line);
    return result;
}

/// The line of the first control character but tabs and line ends; 0: there is none. TOML has no place for them; toml++ 3.3 aborts
/// the program where one stands behind the bracket of a header.
int line_of_control_character(std::string_view text) {
    constexpr unsigned char first_printable = 0x20;
    constexpr unsigned char del = 0x7F;
    int line = 1;
    for (const char c : text) {
        const auto octet = static_cast<unsigned char>(c);
        if (c == '\n') {
            ++line;
        } else if (octet == del || (octet < first_printable && c != '\t' && c != '\r')) {
            return line;
        }
    }
    return 0;
}

}  // namespace

const TomlEntry* TomlTable::find(std::string_view key) const {
    const auto found = std::ranges::find(entries, key, &TomlEntry::key);
    return found == entries.end() ? nullptr : &*found;
}

std::expected<TomlTable, TomlFault> parse_toml(std::string_view text) {
    if (const int line = line_of_control_character(text); line != 0) {
        return std::unexpected(
            TomlFault{.line = line, .message = "a control character, which no TOML text has"});
    }
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
        return std::unexpected(TomlFault{.line = line_of(parsed.error().source()),
                                         .message = std::string(parsed.error().description())});
    }
    return converted(parsed.table());
}

std::string_view toml_type_name(const TomlValue& value) {
    constexpr std::array<std::string_view, 7> names{
        "true or false", "a whole number", "a number with a fraction", "a text", "a date",
        "an array",      "a table"};
    static_assert(names.size() == std::variant_size_v<decltype(TomlValue::content)>);
    return names.at(value.content.index());
}

}  // namespace smsrack::config
