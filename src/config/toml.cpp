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
    TomlValue value{.line = line_of(node.source())};
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

}  // namespace

const TomlEntry* TomlTable::find(std::string_view key) const {
    const auto found = std::ranges::find(entries, key, &TomlEntry::key);
    return found == entries.end() ? nullptr : &*found;
}

std::expected<TomlTable, TomlFault> parse_toml(std::string_view text) {
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
