#include "db/read/newest.hpp"

#include "db/engine/connection.hpp"
#include "db/engine/values.hpp"

#include <algorithm>

namespace smsrack::db {

Result<std::optional<WallTime>> newest_time(const std::filesystem::path& database) {
    return read_alone(database, [](Connection& db) {
        const std::optional<WallTime> none;
        return std::max(
            {db.scalar("SELECT created_at FROM messages ORDER BY id DESC LIMIT 1", none),
             db.scalar("SELECT at FROM events ORDER BY seq DESC LIMIT 1", none),
             db.scalar("SELECT received_at FROM inbox ORDER BY id DESC LIMIT 1", none)});
    });
}

}  // namespace smsrack::db
