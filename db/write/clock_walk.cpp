#include "db/write/clock_walk.hpp"

#include "db/read/message_times.hpp"
#include "db/read/pair_queries.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace smsrack::db {
namespace {

struct Walk {
    MessageId next;
    MessageId lowest;  // no message below it waits, or is in doubt
    ClockMove move;
};

struct Row {
    MessageId id = {};
    bool waits = false;  // or is in doubt: its times count
    bool is_ahead = false;
    ports::TopicId topic = {};
    std::string to = {};
    MessageTimes times = {};
};

std::optional<Walk> open_walk(Connection& db) {
    MessageId next;
    MessageId lowest;
    WalkColumns columns;
    if (!db.first(
            std::tie(next, lowest, columns.after, columns.until, columns.shift, columns.life_least),
            "SELECT next, lowest, after, until, shift, life_least FROM clock_walk")) {
        return std::nullopt;
    }
    return Walk{.next = next, .lowest = lowest, .move = *columns.move()};
}

Row read_row(const Rows& columns) {
    Row row;
    MessageTimes& times = row.times;
    columns.read(row.id, row.waits, row.is_ahead, row.topic, row.to, times.state, times.flags,
                 times.created_at, times.expires_at, times.due_at, times.queued_at);
    times.has_topic = row.topic != ports::TopicId{};
    return row;
}

/// A pair that has another time than its message was moved before.
void move_pair(Connection& db, const Row& row, const ClockMove& move) {
    const WallTime at = row.times.created_at;
    db.run(
        "UPDATE trigger_pairs SET claimed_at = ? WHERE topic = ? AND number = ? AND message = ? "
        "AND claimed_at = ?",
        seconds_of(at + move.by), row.topic, number_of(row.to), row.id, seconds_of(at));
}

MessageTimes true_times(const Row& row, const ClockMove& move) {
    return row.waits ? moved(row.times, move) : row.times;
}

void move_row(Connection& db, const Row& row, const ClockMove& move) {
    if (row.times.has_topic && move.concerns(row.times.created_at)) {
        move_pair(db, row, move);
    }
    const MessageTimes right = true_times(row, move);
    if (right != row.times) {
        db.run(
            "UPDATE messages SET created_at = ?, expires_at = ?, due_at = ?, queued_at = ? WHERE "
            "id = ?",
            right.created_at, right.expires_at, right.due_at, right.queued_at, row.id);
    }
}

/// nullopt if there is no such message, or it was moved already.
std::optional<Row> unmoved_row(Connection& db, MessageId message, const Walk& walk) {
    if (message.value >= walk.next.value) {
        return std::nullopt;
    }
    auto rows = db.all(
        read_row,
        "SELECT id, waiting = 1 OR state IN (3, 10), EXISTS (SELECT 1 FROM clock_walk_ahead WHERE "
        "message "
        "= id), topic, "
        "to_addr, state, flags, created_at, expires_at, due_at, queued_at FROM messages WHERE id = "
        "?",
        message);
    return rows.empty() || rows.front().is_ahead ? std::nullopt
                                                 : std::optional(std::move(rows.front()));
}

/// The walk moves nothing from here on. Pairs are found by their messages, and `after` ends those that
/// are concerned; one that was moved ahead has another date.
bool ends_walk(const Row& row, const Walk& walk, bool has_pairs) {
    const bool is_concerned = row.is_ahead || row.times.created_at > walk.move.after;
    return row.id.value < walk.lowest.value && !(has_pairs && is_concerned);
}

/// In two passes: no statement reads a table that another one changes.
std::vector<Row> next_rows(Connection& db, const Walk& walk) {
    std::vector<Row> rows;
    std::size_t to_change = 0;
    const bool has_pairs = db.scalar<bool>("SELECT EXISTS (SELECT 1 FROM trigger_pairs)", false);
    Rows found = db.query(
        "SELECT id, waiting = 1 OR state IN (3, 10), EXISTS (SELECT 1 FROM clock_walk_ahead WHERE "
        "message "
        "= id), topic, "
        "to_addr, state, flags, created_at, expires_at, due_at, queued_at FROM messages WHERE id < "
        "? ORDER BY id DESC",
        walk.next);
    while (to_change < WalkOn::changed_max && rows.size() < WalkOn::looked_at_max && found.next()) {
        Row row = read_row(found);
        if (ends_walk(row, walk, has_pairs)) {
            break;
        }
        rows.push_back(std::move(row));
        to_change += rows.back().waits || rows.back().times.has_topic ? 1 : 0;
    }
    return rows;
}

void end_walk(Connection& db) {
    db.run("DELETE FROM clock_walk");
    db.run("DELETE FROM clock_walk_ahead");
}

}  // namespace

bool is_walking(Connection& db) {
    return db.scalar<bool>("SELECT EXISTS (SELECT 1 FROM clock_walk)", false);
}

bool apply(Writer& writer, const WalkOn& /*command*/) {
    const auto walk = open_walk(writer.db);
    if (!walk) {
        return false;
    }
    const auto rows = next_rows(writer.db, *walk);
    for (const Row& row : rows) {
        if (!row.is_ahead) {
            move_row(writer.db, row, walk->move);
        }
    }
    if (rows.empty()) {
        end_walk(writer.db);
        return false;
    }
    writer.db.run("UPDATE clock_walk SET next = ?", rows.back().id);
    return true;
}

void begin_walk(Writer& writer, const ClockMove& move) {
    while (apply(writer, WalkOn{})) {
    }
    const std::int64_t next = writer.ledger.last_number() + 1;
    const auto lowest = writer.db.scalar<std::int64_t>(
        "SELECT coalesce(min(id), ?) FROM (SELECT min(id) AS id FROM messages INDEXED BY "
        "messages_expiring WHERE waiting = 1 UNION ALL SELECT min(id) FROM messages INDEXED BY "
        "messages_uncertain WHERE state = 3 UNION ALL SELECT min(id) FROM messages INDEXED BY "
        "messages_ended WHERE state >= 4 AND state = 10)",
        next, next);
    writer.db.run(
        "INSERT INTO clock_walk (one, next, after, until, shift, life_least, lowest) VALUES (1, ?, "
        "?, ?, ?, ?, ?)",
        next, move.after, move.until, move.by.count(), move.life_least().count(), lowest);
}

WallTime true_date(Connection& db, MessageId message, WallTime created_at) {
    const auto walk = open_walk(db);
    const auto row = walk ? unmoved_row(db, message, *walk) : std::nullopt;
    return row ? true_times(*row, walk->move).created_at : created_at;
}

void move_ahead(Connection& db, MessageId message) {
    const auto walk = open_walk(db);
    if (const auto row = walk ? unmoved_row(db, message, *walk) : std::nullopt) {
        move_row(db, *row, walk->move);
        db.run("INSERT INTO clock_walk_ahead (message) VALUES (?)", message);
    }
}

}  // namespace smsrack::db
