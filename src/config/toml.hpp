/// A TOML document as a tree of values that know their line numbers. Only this file uses toml++.
///
/// Unit:    lines count from 1; 0: not known.
/// Errors:  TomlFault where the text is not TOML 1.0 in UTF-8, or exceeds a bound of toml_bounds.hpp; the first fault only,
///          since what follows is guesswork.
/// Source:  https://toml.io/en/v1.0.0
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace smsrack::config {

struct TomlValue;
struct TomlEntry;

using TomlArray = std::vector<TomlValue>;

// `entries` and `content` are without "= {}": clang would want to know a whole TomlEntry for it.

/// In order of the keys' lines.
struct TomlTable {
    std::vector<TomlEntry> entries;

    /// Null if the key is absent. Valid as long as the table.
    [[nodiscard]] const TomlEntry* find(std::string_view key) const;
};

/// A date or a time: no setting is one, so its value is not kept.
struct TomlDate {};

struct TomlValue {
    std::variant<bool, std::int64_t, double, std::string, TomlDate, TomlArray, TomlTable> content;
    int line = 0;
};

struct TomlEntry {
    std::string key = {};
    int line = 0;  ///< of the key, or of the header of a table
    TomlValue value = {};
};

struct TomlFault {
    int line = 0;
    std::string message = {};  ///< says what was expected; never quotes a value
};

[[nodiscard]] std::expected<TomlTable, TomlFault> parse_toml(std::string_view text);

/// "a whole number", "a table", ...: for messages.
[[nodiscard]] std::string_view toml_type_name(const TomlValue& value);

}  // namespace smsrack::config
