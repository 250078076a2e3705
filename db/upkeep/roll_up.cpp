#include "db/upkeep/roll_up.hpp"

#include "src/ports/rack_history.hpp"

#include <algorithm>

namespace smsrack::db {
namespace {

std::size_t remove_at(Connection& db, int span, std::int64_t at) {
    db.run("DELETE FROM history WHERE span = ? AND at = ?", span, at);
    return static_cast<std::size_t>(db.changed_rows());
}

/// The oldest of the span that begins before `end`; `end` if there is none.
std::int64_t oldest(Connection& db, int span, std::int64_t end) {
    return db.scalar<std::int64_t>(
        "SELECT at FROM history WHERE span = ? AND at < ? ORDER BY at LIMIT 1", end, span, end);
}

}  // namespace

/// Oldest first, so that the last waiting and signal of the hour stay.
std::size_t roll_up_history(Connection& db, WallTime now, std::size_t limit) {
    const std::int64_t end = ports::first_kept_minute(now);
    std::size_t rows = 0;
    while (rows < limit) {
        const std::int64_t at = oldest(db, 1, end);
        if (at == end) {
            return rows;
        }
        db.run(
            "INSERT INTO history (span, at, line, sent, failed, received, waiting, signal) SELECT "
            "0, at - at % 60, line, sent, failed, received, waiting, signal FROM history WHERE "
            "span = 1 AND at = ? ON CONFLICT DO UPDATE SET sent = sent + excluded.sent, failed = "
            "failed + excluded.failed, received = received + excluded.received, waiting = "
            "coalesce(excluded.waiting, waiting), signal = coalesce(excluded.signal, signal)",
            at);
        rows += remove_at(db, 1, at);
    }
    return std::min(rows, limit);
}

std::size_t remove_history(Connection& db, WallTime before, std::size_t limit) {
    const std::int64_t end = ports::minute_of(std::chrono::floor<std::chrono::hours>(before));
    std::size_t rows = 0;
    while (rows < limit) {
        const std::int64_t at = oldest(db, 0, end);
        if (at == end) {
            return rows;
        }
        rows += remove_at(db, 0, at);
    }
    return std::min(rows, limit);
}

}  // namespace smsrack::db
