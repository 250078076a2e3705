/// An earlier copy takes the place of the database; the present one is kept beside it under another name.
///
/// Both change places in one step, so that at each moment a whole database is there, also when the power goes. Called again after such an end
/// it finds nothing half done but a copy too many, which goes.
/// Threads: with the service down.
/// Errors:  storage: no room, or a file can't be renamed; busy: the database is still in use; those of backup().
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <filesystem>

namespace smsrack::db {

/// Gives the new name of the present one: "smsrack.db.newer-20260101T120000Z".
[[nodiscard]] Result<std::filesystem::path> go_back(const std::filesystem::path& database,
                                                    const std::filesystem::path& copy,
                                                    WallTime now);

}  // namespace smsrack::db
