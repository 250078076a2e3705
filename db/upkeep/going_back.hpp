/// What a box loses that goes back to an earlier database, such as the copy that was kept before a migration.
///
/// Time:    reads what is newer than the copy, and what waited in it.
/// Threads: any, while the service is up or down.
/// Errors:  not_found, storage, damaged_database: one of both could not be read.
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace smsrack::db {

struct SchemaOf {
    int version = 0;  ///< 0: it is new
    /// the earliest version of a program that may use it, where the database says so
    std::optional<int> oldest_reader = {};
};

/// Also of a database that is newer than this program.
[[nodiscard]] Result<SchemaOf> schema_of(const std::filesystem::path& database);

/// Messages, each counted once in the first three.
struct GoingBackLoss {
    std::int64_t waiting = 0;   ///< accepted since, and not at their end: they would not be sent
    std::int64_t sent = 0;      ///< accepted since, and taken by the network
    std::int64_t ended = 0;     ///< accepted since, and failed, expired or cancelled
    std::int64_t received = 0;  ///< received since, also in part
    /// waited in the copy and do so no more: would be sent, most once more
    std::int64_t again = 0;
    std::int64_t opt_outs = 0;  ///< numbers that said STOP since: would be sent to again
    std::int64_t pauses = 0;    ///< made since: what a person holds would go out

    [[nodiscard]] std::int64_t accepted() const { return waiting + sent + ended; }
    [[nodiscard]] bool none() const {
        return accepted() + received + again + opt_outs + pauses == 0;
    }
};

/// Of `database`, where `copy` takes its place.
[[nodiscard]] Result<GoingBackLoss> loss_of_going_back(const std::filesystem::path& database,
                                                       const std::filesystem::path& copy);

}  // namespace smsrack::db
