/// The latest time that a database knows: a clock behind it is wrong.
///
/// Threads: any; reads while the service runs.
/// Errors:  not_found (no such file), not_allowed, storage, damaged_database.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <filesystem>
#include <optional>

namespace smsrack::db {

/// nullopt if it has no rows.
[[nodiscard]] Result<std::optional<WallTime>> newest_time(const std::filesystem::path& database);

}  // namespace smsrack::db
