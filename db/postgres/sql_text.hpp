/// Writes a call of one of the schema's functions as text, with its values quoted.
///
/// A command is text as a whole, not a statement with separate values: the server gets it as one message, so it never waits for a
/// box in the middle of a transaction (docs/decisions/0050-postgresql-of-a-fleet.md).
/// Errors:  none here. What is not UTF-8, or has a NUL, is refused before it is sent (EngineLoop).
#pragma once

#include "src/ports/cluster_engine.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::postgres {

class SqlText {
public:
    /// "SELECT COLUMNS FROM smsrack.FUNCTION(", then its values in order, then done().
    explicit SqlText(std::string_view function, std::string_view columns = "*");

    SqlText& add(std::string_view text);
    SqlText& add(const std::string& text) { return add(std::string_view(text)); }
    SqlText& add(bool value) { return raw(value ? "true" : "false"); }
    SqlText& add(std::int64_t value) { return raw(std::to_string(value)); }
    SqlText& add(double value);
    SqlText& add(ports::Seat seat);
    SqlText& add(ports::ReadMark mark);
    SqlText& null() { return raw("NULL"); }
    /// A place for the first value that is sent separately.
    SqlText& place() { return raw("$1"); }

    /// An array of what `value_of` gives for each of `rows`: strings, numbers or bools. Its empty strings are NULL.
    template <typename Rows, typename ValueOf>
    SqlText& array(const Rows& rows, ValueOf value_of) {
        next();
        text_ += "'{";
        bool first = true;
        for (const auto& row : rows) {
            if (!std::exchange(first, false)) {
                text_ += ',';
            }
            element(value_of(row));
        }
        text_ += "}'";
        return *this;
    }

    /// As array(), but NULL where every value is `usual`.
    template <typename Rows, typename ValueOf, typename Value>
    SqlText& array_unless(const Value& usual, const Rows& rows, ValueOf value_of) {
        for (const auto& row : rows) {
            if (value_of(row) != usual) {
                return array(rows, value_of);
            }
        }
        return null();
    }

    [[nodiscard]] std::string done() { return std::move(text_ += ')'); }

private:
    void next();
    SqlText& raw(std::string_view text);
    void element(std::string_view text);
    void element(bool value) { text_ += value ? 't' : 'f'; }
    template <std::integral Number>
    void element(Number value) {
        text_ += std::to_string(value);
    }

    std::string text_;
    bool is_first_ = true;
};

[[nodiscard]] inline bool has_nul(std::string_view text) {
    return text.find('\0') != std::string_view::npos;
}

}  // namespace smsrack::postgres
