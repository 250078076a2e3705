/// Where the rows of a time begin: ids grow with time, so some twenty looks find it.
///
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/clock.hpp"

#include <cstdint>
#include <tuple>

namespace smsrack::db {

/// The id below which every row came before `since`. `first_in`: "SELECT id, TIME FROM TABLE WHERE
/// id >= ? AND id < ? ORDER BY id LIMIT 1", with the values of `more` behind these two.
[[nodiscard]] inline std::int64_t first_since(Connection& db, Sql first_in, WallTime since,
                                              const auto&... more) {
    std::int64_t low = 0;  // came before, or 0
    std::int64_t high = db.scalar<std::int64_t>("SELECT sequence FROM head", 0) + 1;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        std::int64_t id = 0;
        WallTime at;
        (void)db.first(std::tie(id, at), first_in, middle, high, more...);
        if (id != 0 && at < since) {
            low = id;
        } else {
            high = middle;
        }
    }
    return high;
}

}  // namespace smsrack::db
