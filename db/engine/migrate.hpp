/// The schema, as numbered steps: each is applied once, in order, in a transaction of its own.
///
/// PRAGMA user_version is the number of the last one applied. A database of a later version is used as it is where its table
/// schema_reader (migration 14) names this program's version or an earlier one.
/// Errors:  newer_database names both versions; damaged_database (tables of another program, or
/// broken); storage.
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/result.hpp"

#include <span>
#include <string_view>

namespace smsrack::db {

struct Migration {
    int number = 0;  ///< from 1, without gaps
    std::string_view name = {};
    std::string_view sql = {};
};

/// Those of db/schema, in order.
[[nodiscard]] std::span<const Migration> migrations();

/// Brings the database to the last of `steps`. A failing step leaves the version before it.
[[nodiscard]] Result<> migrate(Connection& connection, std::span<const Migration> steps);

/// The version that the database has; 0: it is new. Later than the last of `steps` only where programs of that one may use it.
[[nodiscard]] Result<int> known_version(Connection& connection, std::span<const Migration> steps);

/// The earliest version of a program that may use what migrations() make: what schema_reader says in the end.
inline constexpr int readable_from = 14;

}  // namespace smsrack::db
