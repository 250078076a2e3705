#include "db/upkeep/clock_record.hpp"

#include "src/base/hash.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::db {
namespace {

std::int64_t boot_number(std::string_view boot) {
    return static_cast<std::int64_t>(hash64(boot));
}

}  // namespace

/// Rows are numbered as they come, so the newest of each table is its last. Those from before the clock was set say nothing.
WallTime newest_row(Connection& db) {
    auto newest = db.scalar<WallTime>("SELECT at FROM clock_set", WallTime{});
    for (const Sql sql : {Sql("SELECT created_at FROM messages WHERE id > coalesce((SELECT message "
                              "FROM clock_set), 0) ORDER BY id DESC LIMIT 1"),
                          Sql("SELECT started_at FROM attempts WHERE id > coalesce((SELECT attempt "
                              "FROM clock_set), 0) ORDER BY id DESC LIMIT 1"),
                          Sql("SELECT at FROM events WHERE seq > coalesce((SELECT event FROM "
                              "clock_set), 0) ORDER BY seq DESC LIMIT 1"),
                          Sql("SELECT received_at FROM inbox WHERE id > coalesce((SELECT inbox "
                              "FROM clock_set), 0) ORDER BY id DESC LIMIT 1")}) {
        newest = std::max(newest, db.scalar<WallTime>(sql, WallTime{}));
    }
    return newest;
}

void keep_clock_set(Connection& db, WallTime at) {
    db.run(
        "INSERT INTO clock_set (one, at, message, attempt, event, inbox) SELECT 1, ?, "
        "coalesce((SELECT max(id) FROM messages), 0), coalesce((SELECT max(id) FROM attempts), 0), "
        "coalesce((SELECT max(seq) FROM events), 0), coalesce((SELECT max(id) FROM inbox), 0) "
        "WHERE true ON CONFLICT DO UPDATE SET at = excluded.at, message = excluded.message, "
        "attempt = excluded.attempt, event = excluded.event, inbox = excluded.inbox",
        at);
}

std::optional<Reckoning> reckoning_of(Connection& db, std::string_view boot) {
    std::int64_t offset = 0;
    Reckoning found;
    const bool is_known =
        !boot.empty() &&
        db.first(std::tie(offset, found.dated_since, found.waits),
                 "SELECT boot_offset, dated_since, waits FROM clock_set WHERE boot = ?",
                 boot_number(boot));
    found.offset = std::chrono::nanoseconds(offset);
    return is_known ? std::optional(found) : std::nullopt;
}

ClockRecord::ClockRecord(const GuardedClock* guard, std::string_view boot, Connection& db)
    : guard_(boot.empty() ? nullptr : guard), boot_(boot_number(boot)) {
    if (guard_ != nullptr) {
        state_ = {.reckoning = guard_->reckoning(), .followed = guard_->followed()};
        kept_ = reckoning_of(db, boot) == state_.reckoning;
    }
}

/// Counts the moves that the store has made, not those that the clock believes: the rows matter.
ClockRecord::State ClockRecord::now(std::span<const ClockMove> moves) const {
    State next{
        .reckoning = state_.reckoning, .moves = moves.size(), .followed = guard_->followed()};
    next.reckoning.offset += next.followed - state_.followed;
    for (const ClockMove& move : moves.subspan(state_.moves)) {
        const bool is_made = move.until != WallTime{};
        next.reckoning = is_made ? next.reckoning.moved(move.by) : next.reckoning;
    }
    return next;
}

void ClockRecord::write_if_changed(Connection& db, std::span<const ClockMove> moves) {
    if (guard_ == nullptr) {
        return;
    }
    const State next = now(moves);
    if (!kept_ || next.reckoning != state_.reckoning) {
        db.run(
            "INSERT INTO clock_set (one, at, message, attempt, event, inbox, boot, boot_offset, "
            "dated_since, waits) VALUES (1, 0, 0, 0, 0, 0, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "boot = excluded.boot, boot_offset = excluded.boot_offset, dated_since = "
            "excluded.dated_since, waits = excluded.waits",
            boot_, next.reckoning.offset.count(), next.reckoning.dated_since, next.reckoning.waits);
        writing_ = next;
    }
}

void ClockRecord::committed() {
    if (writing_) {
        state_ = *std::exchange(writing_, std::nullopt);
        kept_ = true;
    }
}

}  // namespace smsrack::db
