/// The declaration of a setting: its key, its member, its permitted values, and a sentence of help.
///
/// Reading, checking, showing and the unknown-key hint all come from these declarations, so a
/// setting is added in one place.
///
/// Unit:    a Rule's bounds are in the unit that the key names (`_s`, `_ms`).
#pragma once

#include "src/base/log.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::config {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// Limits of a value besides its type.
enum class Form : std::uint8_t {
    any,
    range,           ///< min <= value <= max
    baud,            ///< a rate that serial ports have
    baud_or_none,    ///< the same, or 0
    absolute_path,   ///< begins with "/"
    socket_path,     ///< the same, and short enough for the system (103 octets)
    file_mode,       ///< "0660"
    name,            ///< 1 to 32 of letters, digits, "_", "-", "."
    country,         ///< "+33"
    number,          ///< "+33609001390", or a short one of 3 to 6 digits
    e164,            ///< "+33612345678"
    trunk,           ///< "0"; "" where a country has none
    prefix,          ///< "+336" or "36"
    zone,            ///< "Europe/Paris"
    time_of_day,     ///< "21:30"
    holiday,         ///< "Easter 2026-04-05"
    label,           ///< 1 to 64 of letters, digits, "_", "-", "." and ":"
    word,            ///< a whole received text: 1 to 40 octets, no blank at its ends
    ip_address,      ///< "192.0.2.1"
    listen_address,  ///< "0.0.0.0:8775"
    http_url,        ///< "https://crm.example/hook"
    proxy_url,       ///< "http://proxy.example:3128"
    webhook_name,    ///< 1 to 32 of a-z, 0-9, "-"
    time,            ///< "2026-11-01T00:00:00Z"
};

struct Rule {
    Form form = Form::any;
    std::int64_t min = 0;
    std::int64_t max = 0;
    bool required = false;
    bool one_is_enough = false;  ///< of a list: one text without brackets is a list of one

    [[nodiscard]] constexpr Rule needed() const {
        Rule rule = *this;
        rule.required = true;
        return rule;
    }
    [[nodiscard]] constexpr Rule or_one() const {
        Rule rule = *this;
        rule.one_is_enough = true;
        return rule;
    }
};

[[nodiscard]] constexpr Rule range(std::int64_t min, std::int64_t max) {
    return {.form = Form::range, .min = min, .max = max};
}
[[nodiscard]] constexpr Rule form(Form which) {
    return {.form = which};
}

template <typename Section, typename T>
struct Field {
    std::string_view key;
    T Section::*member;
    Rule rule;
    std::string_view help;  ///< one line: shown by `config show` with the value
};

template <typename Section, typename T>
[[nodiscard]] constexpr Field<Section, T> field(std::string_view key, T Section::*member, Rule rule,
                                                std::string_view help) {
    return {.key = key, .member = member, .rule = rule, .help = help};
}

/// A [name] or each [[name]] of a file, and the member of the whole document that it is read into.
template <typename Document, typename T>
struct Table {
    std::string_view name;
    T Document::*member;
};

template <typename Document, typename T>
[[nodiscard]] constexpr Table<Document, T> table(std::string_view name, T Document::*member) {
    return {.name = name, .member = member};
}

/// The words of an enum in a file, by its value.
template <typename Enum>
struct Words;

template <>
struct Words<LogLevel> {
    static constexpr std::array<std::string_view, 5> names{"error", "warn", "info", "debug",
                                                           "trace"};
};

/// One duration for each priority level, 0 first.
inline constexpr std::size_t priority_levels = 7;
using LevelTimes = std::array<milliseconds, priority_levels>;

/// Levels from one to another, both included.
struct LevelSpan {
    std::int64_t lowest = 0;
    std::int64_t highest = priority_levels - 1;
    friend constexpr bool operator==(const LevelSpan&, const LevelSpan&) = default;
};

/// A number for each of some names, by their lines and then by name: { beta = 1.0, staff = 0.5 }. A name keeps Form::label.
struct NamedNumber {
    std::string name = {};
    double number = 0;
};
using NamedNumbers = std::vector<NamedNumber>;
inline constexpr std::size_t named_numbers_max = 64;

}  // namespace smsrack::config
