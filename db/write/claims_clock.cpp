// What triggers have in the store, after a correction of the clock.
#include "db/read/pair_queries.hpp"
#include "db/write/claims.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace smsrack::db {
namespace {

constexpr std::uint32_t full = std::numeric_limits<std::uint32_t>::max();

}  // namespace

/// Behind those that wait; a minute that was given by a clock ahead of time is no reason to wait for it.
void move_minutes(Writer& writer, const ClockMove& move) {
    const WallTime now = move.until + move.by;
    for (const auto& [trigger, minute] :
         writer.db.tuples<std::string, std::int64_t>("SELECT of, minute FROM trigger_minutes")) {
        const WallTime last = std::max(now, last_due(writer, trigger).value_or(now));
        if (last > now || minute > minute_of(now)) {
            writer.db.run("UPDATE trigger_minutes SET minute = ?, messages = ? WHERE of = ?",
                          minute_of(last), full, trigger);
        }
    }
}

}  // namespace smsrack::db
