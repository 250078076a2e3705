/// A database that can't be used any more, out of the way of a new one.
///
/// Nothing is deleted: the files get another name, for an operator who wants to save what can be saved
/// (`sqlite3 FILE .recover`).
/// Threads: at start, before the writing thread; mark_suspect() on the writing thread.
/// Errors:  storage: a file can't be renamed.
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace smsrack::db {

/// A file next to the database: "smsrack.db-wal".
[[nodiscard]] std::filesystem::path beside(std::filesystem::path database,
                                           const std::string& ending);

/// A time within a file's name: "20260101T120000Z".
[[nodiscard]] std::string file_stamp(WallTime at);

/// Renames database, -wal and -shm: "smsrack.db.damaged-20260101T120000Z". Gives the new name.
[[nodiscard]] Result<std::filesystem::path> set_aside(const std::filesystem::path& database,
                                                      WallTime now);

/// damaged_database: a page or an index is broken. Reads all of the file where it is no larger than
/// `whole_max`, or was marked; else only its first pages: a gigabyte takes a minute on a slow disk,
/// and what reading meets later is marked for the next start.
[[nodiscard]] Result<> quick_check(Connection& db, const std::filesystem::path& database,
                                   std::uintmax_t whole_max);

/// As quick_check(), of all of it.
[[nodiscard]] Result<> whole_check(Connection& db);

/// Damage was met while the service ran: the next quick_check() reads all.
void mark_suspect(const std::filesystem::path& database) noexcept;

}  // namespace smsrack::db
