/// Our types in SQLite's columns: integers, enums, ids and times as INTEGER, text as TEXT, octets
/// as BLOB.
///
/// Threads: those of the statement's connection.
/// Errors:  none: a value of another type reads as SQLite converts it; NULL as zero or empty.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

struct sqlite3_stmt;

namespace smsrack::db {

/// Bound as a BLOB; valid until the statement has run.
struct Octets {
    std::string_view bytes;
};

void bind_integer(sqlite3_stmt& statement, int place, std::int64_t value);
void bind_null(sqlite3_stmt& statement, int place);
void bind_text(sqlite3_stmt& statement, int place, std::string_view text);
void bind_octets(sqlite3_stmt& statement, int place, std::string_view octets);
[[nodiscard]] std::int64_t read_integer(sqlite3_stmt& statement, int column);
[[nodiscard]] bool read_is_null(sqlite3_stmt& statement, int column);
[[nodiscard]] std::string_view read_bytes(sqlite3_stmt& statement,
                                          int column);  ///< until the next step

template <typename T>
concept Numeral = std::integral<T> || std::is_enum_v<T>;

template <Numeral T>
void bind_value(sqlite3_stmt& statement, int place, T value) {
    bind_integer(statement, place, static_cast<std::int64_t>(value));
}
template <typename Tag, typename Rep>
void bind_value(sqlite3_stmt& statement, int place, Id<Tag, Rep> id) {
    bind_integer(statement, place, id.value);
}
inline void bind_value(sqlite3_stmt& statement, int place, WallTime time) {
    bind_integer(statement, place, time.time_since_epoch().count());
}
inline void bind_value(sqlite3_stmt& statement, int place, std::string_view text) {
    bind_text(statement, place, text);
}
inline void bind_value(sqlite3_stmt& statement, int place, Octets octets) {
    bind_octets(statement, place, octets.bytes);
}
template <std::size_t n>
void bind_value(sqlite3_stmt& statement, int place, const std::array<std::uint8_t, n>& octets) {
    std::array<char, n> chars{};
    std::memcpy(chars.data(), octets.data(), n);
    bind_octets(statement, place, {chars.data(), n});  // SQLite takes a copy
}
template <typename T>
void bind_value(sqlite3_stmt& statement, int place, const std::optional<T>& value) {
    if (value) {
        bind_value(statement, place, *value);
    } else {
        bind_null(statement, place);
    }
}

template <Numeral T>
void read_value(sqlite3_stmt& statement, int column, T& out) {
    out = static_cast<T>(read_integer(statement, column));
}
template <typename Tag, typename Rep>
void read_value(sqlite3_stmt& statement, int column, Id<Tag, Rep>& out) {
    out.value = static_cast<Rep>(read_integer(statement, column));
}
inline void read_value(sqlite3_stmt& statement, int column, WallTime& out) {
    out = WallTime{std::chrono::milliseconds{read_integer(statement, column)}};
}
inline void read_value(sqlite3_stmt& statement, int column, std::string& out) {
    out = read_bytes(statement, column);
}
template <typename T>
void read_value(sqlite3_stmt& statement, int column, std::optional<T>& out) {
    out.reset();
    if (!read_is_null(statement, column)) {
        read_value(statement, column, out.emplace());
    }
}

/// An empty text as NULL, which takes no room.
[[nodiscard]] inline std::optional<std::string_view> unless_empty(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace smsrack::db
