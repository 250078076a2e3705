/// An earlier copy takes the place of the database; the present one is kept next to it under another name.
///
/// Both change places in one step, so that at each moment a whole database is there, also when the power goes. Where there is no room for
/// another copy, the earlier one itself becomes the database: a full disk must not keep a box from going back.
/// Threads: with the service down.
/// Errors:  storage: a file can't be read, written or renamed; busy: the database is still in use; damaged_database: the copy, which takes no place;
///          those of backup().
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <filesystem>

namespace smsrack::db {

/// Gives the new name of the present one, "smsrack.db.newer-20260101T120000Z"; it goes after 30 days: forget_kept().
[[nodiscard]] Result<std::filesystem::path> go_back(const std::filesystem::path& database,
                                                    const std::filesystem::path& copy,
                                                    WallTime now);

/// What a going back left that the power ended: the present one has its name, or a copy too many goes. Nothing to do is the usual case.
[[nodiscard]] Result<> end_going_back(const std::filesystem::path& database, WallTime now);

}  // namespace smsrack::db
