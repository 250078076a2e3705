#include "src/config/toml.hpp"

/// toml++ 3.3 asserts where some faults of a text are ("a = [}", a DEL behind the bracket of a header): then this is thrown,
/// instead of an abort.
struct TomlAssertion {};
[[noreturn]] static void fail_assertion() {
    throw TomlAssertion();
}

#define TOML_ASSERT(expr) (static_cast<bool>(expr) ? void() : fail_assertion())
#define TOML_EXCEPTIONS 1
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

/// The first so many lines.
std::string_view lines_of(std::string_view text, int count) {
    std::size_t end = 0;
    for (int i = 0; i < count && end < text.size(); ++i) {
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    }
    return text.substr(0, end);
}

bool asserts(std::string_view text) {
    try {
        (void)toml::parse(text);
    } catch (const TomlAssertion&) {
        return true;
    } catch (const toml::parse_error&) {
    }
    return false;
}

/// In which line it asserts: what comes behind it is not read by then.
int line_of_assertion(std::string_view text) {
    int well = 0;
    int asserting = 1 + static_cast<int>(std::ranges::count(text, '\n'));
    while (asserting - well > 1) {
        const int middle = well + (asserting - well) / 2;
        (asserts(lines_of(text, middle)) ? asserting : well) = middle;
    }
    return asserting;
}

}  // namespace

const TomlEntry* TomlTable::find(std::string_view key) const {
    const auto found = std::ranges::find(entries, key, &TomlEntry::key);
    return found == entries.end() ? nullptr : &*found;
}

std::expected<TomlTable, TomlFault> parse_toml(std::string_view text) {
    try {
        return converted(toml::parse(text));
    } catch (const toml::parse_error& error) {
        return std::unexpected(TomlFault{.line = line_of(error.source()),
                                         .message = std::string(error.description())});
    } catch (const TomlAssertion&) {
        return std::unexpected(
            TomlFault{.line = line_of_assertion(text), .message = "this is not TOML"});
    }
}

std::string_view toml_type_name(const TomlValue& value) {
    constexpr std::array<std::string_view, 7> names{
        "true or false", "a whole number", "a number with a fraction", "a text", "a date",
        "an array",      "a table"};
    static_assert(names.size() == std::variant_size_v<decltype(TomlValue::content)>);
    return names.at(value.content.index());
}

}  // namespace smsrack::config
