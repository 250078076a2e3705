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

/// Found by their messages, newest first: those made in between are few, and there is no index of the times of millions. A pair that
/// has another time than its message was moved before.
void move_pairs(Writer& writer, const ClockMove& move) {
    Rows rows =
        writer.db.query("SELECT id, topic, to_addr, created_at FROM messages ORDER BY id DESC");
    while (rows.next()) {
        MessageId message;
        ports::TopicId topic;
        std::string to;
        WallTime at;
        rows.read(message, topic, to, at);
        if (at <= move.after) {
            break;
        }
        if (topic != ports::TopicId{} && move.concerns(at)) {
            writer.db.run(
                "UPDATE trigger_pairs SET claimed_at = ? WHERE topic = ? AND number = ? AND "
                "message = ? AND claimed_at = ?",
                seconds_of(at + move.by), topic, number_of(to), message, seconds_of(at));
        }
    }
}

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
