/// The schema, as numbered steps: each is applied once, in order, in a transaction of its own.
///
/// PRAGMA user_version is the number of the last one applied.
/// Errors:  newer_database names both versions; damaged_database (tables of somebody else, or
/// broken); storage.
#pragma once

#include "db/connection.hpp"
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

/// The version that the database has, at most the last of `steps`; 0: it is new.
[[nodiscard]] Result<int> known_version(Connection& connection, std::span<const Migration> steps);

}  // namespace smsrack::db
