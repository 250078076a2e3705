/// Is the database whole, and does it say what the store may write?
///
/// Threads: any; reads all of it, while the service is up or down.
/// Errors:  not_found, storage, damaged_database, newer_database: it could not be read to the end; conflict: it is
///          of an earlier version.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace smsrack::db {

struct CheckReport {
    std::vector<std::string> problems = {};  ///< sentences; empty: all is well
    int version = 0;
    std::int64_t messages = 0;
    std::int64_t inbox = 0;
};

[[nodiscard]] Result<CheckReport> check(const std::filesystem::path& database);

}  // namespace smsrack::db
