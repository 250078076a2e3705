/// The database as it was, kept next to it before a migration changes it: who goes back to the release before begins with it.
///
/// It has texts and numbers of messages, so the one of the last migration is the only one, and it goes after 30 days. So does what go_back() put aside.
/// Threads: at start, before the writing thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace smsrack::db {

/// The name of the copy that has this version of the schema: "before-migration-13.db", next to the database.
[[nodiscard]] std::filesystem::path before_migration_file(const std::filesystem::path& database,
                                                          int version);

/// All such copies that are next to the database.
[[nodiscard]] std::vector<std::filesystem::path> before_migration_files(
    const std::filesystem::path& database);

/// Copies the database, which has this version, and takes those of earlier migrations away. On the disk when it returns.
/// Errors:  storage: no room, said with what there is to do; those of backup().
[[nodiscard]] Result<> keep_before_migration(const std::filesystem::path& database, int version);

/// storage: this number of free octets is not enough to keep a database of that size.
[[nodiscard]] Result<> room_to_keep(std::uintmax_t database, std::uintmax_t available);

/// Takes away what was kept, or put aside by go_back(), more than 30 days ago, and what a copy left that ended with the power.
void forget_kept(const std::filesystem::path& database, WallTime now);

}  // namespace smsrack::db
