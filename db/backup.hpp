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

/// Gives the size of the copy in octets. `progress` may be empty.
[[nodiscard]] Result<std::uintmax_t> backup(const std::filesystem::path& database,
                                            const std::filesystem::path& destination,
                                            const std::function<void(BackupProgress)>& progress);

}  // namespace smsrack::db
