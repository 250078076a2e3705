/// A copy of the database while it is in use, or not.
///
/// The copy is one moment's whole: a snapshot is held while pages are copied, and the writer goes
/// on. It appears under its name only when it is complete and on the disk.
/// Threads: any; takes as long as the disk needs.
/// Errors:  not_found (no database), storage (disk full, no such folder), damaged_database, newer_database.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace smsrack::db {

struct BackupProgress {
    int pages_copied = 0;
    int pages = 0;
};

enum class BackupPlace : std::uint8_t {
    own,     ///< in the service's own folder: takes the place of an older copy
    chosen,  ///< by a person, anywhere: never takes the place of anything, and never where another account could swap it
};

/// Gives the size of the copy in octets. `progress` may be empty.
/// Errors, of a chosen place: conflict: something is there already, a link too; forbidden: other accounts may change the
/// folder or one above it.
[[nodiscard]] Result<std::uintmax_t> backup(const std::filesystem::path& database,
                                            const std::filesystem::path& destination,
                                            const std::function<void(BackupProgress)>& progress,
                                            BackupPlace place = BackupPlace::own);

}  // namespace smsrack::db
