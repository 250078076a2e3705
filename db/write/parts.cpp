#include "db/write/parts.hpp"

#include "db/write/clock_walk.hpp"

#include <optional>
#include <tuple>

namespace smsrack::db {
namespace {

// A client that floods one number with one key must not make each of its parts look at all of them.
constexpr int sets_looked_at_max = 16;

/// Of the set, not ended unsent: the number of one that did is free again.
std::size_t parts_going(Connection& db, PartSetId set) {
    return db.scalar<std::size_t>(
        "SELECT count(*) FROM messages INDEXED BY messages_parts WHERE part_set IS NOT NULL AND "
        "part_set = ? AND state NOT IN (7, 8, 9)",
        0, set);
}

/// The oldest one that lacks this number, of the newest ones.
std::optional<PartSet> find_open(Writer& writer, const NewMessage& part, ClientId client) {
    const PartPlace& place = *part.body.part;
    PartSet found;
    std::size_t came = 0;
    if (!writer.db.first(
            std::tie(found.id, found.group, found.begun_at, came),
            "SELECT id, grp, begun_at, came FROM (SELECT id, grp, begun_at, came, total FROM "
            "part_sets INDEXED BY part_sets_open WHERE open = 1 AND to_addr = ? AND key = ? AND "
            "begun_at > ? AND client = ? AND owner = ? AND total = ? ORDER BY id DESC LIMIT ?) s "
            "WHERE NOT EXISTS (SELECT 1 FROM messages m INDEXED BY messages_parts WHERE m.part_set "
            "IS NOT NULL AND m.part_set = s.id AND m.part = s.total * 256 + ? AND m.state NOT IN "
            "(7, 8, 9)) ORDER BY id LIMIT 1",
            part.body.to, part.part_key, part.created_at - parts_wait, client,
            client == ClientId{} ? part.owner : OwnerId{}, place.total, sets_looked_at_max,
            place.number)) {
        return std::nullopt;
    }
    found.is_complete =
        came + 1 >= place.total && parts_going(writer.db, found.id) + 1 == place.total;
    return found;
}

bool has_part_under_way(Connection& db, PartSetId set) {
    return db.scalar<bool>(
        "SELECT EXISTS (SELECT 1 FROM messages INDEXED BY messages_parts WHERE part_set IS NOT "
        "NULL AND part_set = ? AND state IN (1, 2))",
        false, set);
}

void queue_part(Writer& writer, MessageId id, WallTime now) {
    move_ahead(writer.db, id);
    auto part = load_message(writer.db, id);
    if (part) {
        save_message(writer, *part, MessageState::queued, {.at = now});
        writer.db.run("UPDATE messages SET queued_at = ? WHERE id = ?", now, id);
    }
}

/// Of those that may go the first one, unless one is under way.
void queue_next(Writer& writer, PartSetId set, WallTime now) {
    if (has_part_under_way(writer.db, set)) {
        return;
    }
    const auto next = writer.db.scalar<MessageId>(
        "SELECT id FROM messages INDEXED BY messages_parts WHERE part_set IS NOT NULL AND part_set "
        "= ? AND state = 0 AND due_at IS NULL ORDER BY part LIMIT 1",
        {}, set);
    if (next != MessageId{}) {
        queue_part(writer, next, now);
    }
}

/// It takes no more parts, and what waits for siblings may go.
void close(Writer& writer, PartSetId set, WallTime now) {
    writer.db.run("UPDATE part_sets SET open = 0, to_addr = '', key = '' WHERE id = ?", set);
    writer.db.run(
        "UPDATE messages INDEXED BY messages_parts SET due_at = NULL WHERE part_set IS NOT NULL "
        "AND part_set = ? AND state = 0 AND flags & ? <> 0",
        set, flag_waits_for_parts);
    queue_next(writer, set, now);
}

/// They wait for parts no more, so that they are not looked at for each part to come.
void close_late(Writer& writer, const NewMessage& part) {
    for (const PartSetId set : writer.db.column<PartSetId>(
             "SELECT id FROM part_sets INDEXED BY part_sets_open WHERE open = 1 AND to_addr = ? "
             "AND key = ? AND begun_at <= ? LIMIT ?",
             part.body.to, part.part_key, part.created_at - parts_wait, sets_looked_at_max)) {
        close(writer, set, part.created_at);
    }
}

/// Closes it where its time is over, or where none of its parts will be sent.
void close_if_over(Writer& writer, PartSetId set, WallTime now) {
    bool is_open = false;
    WallTime begun_at;
    if (writer.db.first(std::tie(is_open, begun_at),
                        "SELECT open, begun_at FROM part_sets WHERE id = ?", set) &&
        is_open && (begun_at + parts_wait <= now || parts_going(writer.db, set) == 0)) {
        close(writer, set, now);
    }
}

}  // namespace

PartSet join_part_set(Writer& writer, const NewMessage& part, ClientId client, GroupId group) {
    close_late(writer, part);
    if (auto found = find_open(writer, part, client)) {
        writer.db.run("UPDATE part_sets SET came = came + 1 WHERE id = ?", found->id);
        return *found;
    }
    const PartSet set{
        .id = PartSetId{writer.ledger.next_number()}, .group = group, .begun_at = part.created_at};
    writer.db.run(
        "INSERT INTO part_sets (id, open, client, owner, to_addr, key, total, came, begun_at, grp, "
        "sim) VALUES (?, 1, ?, ?, ?, ?, ?, 1, ?, ?, 0)",
        set.id, client, client == ClientId{} ? part.owner : OwnerId{}, part.body.to, part.part_key,
        part.body.part->total, set.begun_at, set.group);
    return set;
}

NewMessage held_part(const NewMessage& part, const PartSet& set) {
    NewMessage held = part;
    if (!held.not_before) {
        // Those of one set are due in their order.
        held.not_before =
            set.begun_at + parts_wait + std::chrono::milliseconds(part.body.part->number);
        held.waits_for_parts = true;
    }
    return held;
}

void add_part(Writer& writer, MessageId id, const NewMessage& part, const PartSet& set) {
    const PartPlace& place = *part.body.part;
    writer.db.run("UPDATE messages SET part_set = ?, part = ? WHERE id = ?", set.id,
                  place.total * 256 + place.number, id);
    if (set.is_complete) {
        close(writer, set.id, part.created_at);
    }
}

void part_due(Writer& writer, const MessageRecord& part, WallTime now) {
    if (part.state != MessageState::scheduled || !part.due_at) {
        return;  // it went with a sibling that was due in the same step
    }
    if ((part.flags & flag_waits_for_parts) != 0) {
        return close(writer, part.part_set, now);
    }
    writer.db.run("UPDATE messages SET due_at = NULL WHERE id = ?", part.id);
    close_if_over(writer, part.part_set, now);
    queue_next(writer, part.part_set, now);
}

void follow_part(Writer& writer, const MessageRecord& part, WallTime at) {
    if (part.state != MessageState::scheduled && !is_work(part.state)) {
        close_if_over(writer, part.part_set, at);
        queue_next(writer, part.part_set, at);
    }
}

void wake_parts(Writer& writer, WallTime now) {
    for (const PartSetId set : writer.db.column<PartSetId>(
             "SELECT DISTINCT part_set FROM messages INDEXED BY messages_scheduled WHERE state = 0 "
             "AND due_at IS NULL AND part_set IS NOT NULL")) {
        queue_next(writer, set, now);
    }
}

void note_begun(Connection& db, const MessageRecord& part, const ports::BeginAttempt& start) {
    if (part.part_set != PartSetId{}) {
        db.run("UPDATE part_sets SET ref = coalesce(ref, ?) WHERE id = ?", start.concat_ref,
               part.part_set);
    }
}

void keep_sim(Connection& db, const MessageRecord& part, SimId sim) {
    if (part.part_set != PartSetId{}) {
        db.run("UPDATE part_sets SET sim = ? WHERE id = ?", sim, part.part_set);
    }
}

void close_late_part_sets(Writer& writer, std::size_t limit) {
    const WallTime now = writer.clock.wall();
    for (const PartSetId set : writer.db.column<PartSetId>(
             "SELECT id FROM part_sets INDEXED BY part_sets_open WHERE open = 1 AND begun_at <= ? "
             "LIMIT ?",
             now - parts_wait, limit)) {
        close(writer, set, now);
    }
}

void remove_part_set(Connection& db, PartSetId set) {
    db.run(
        "DELETE FROM part_sets WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM messages INDEXED BY "
        "messages_parts WHERE part_set IS NOT NULL AND part_set = ?1)",
        set);
}

void remove_orphaned_part_sets(Connection& db, MessageId oldest, std::size_t limit) {
    db.run(
        "DELETE FROM part_sets WHERE id IN (SELECT id FROM part_sets s WHERE id < ? AND NOT EXISTS "
        "(SELECT 1 FROM messages INDEXED BY messages_parts WHERE part_set IS NOT NULL AND part_set "
        "= s.id) ORDER BY id LIMIT ?)",
        oldest, limit);
}

void move_part_sets(Connection& db, const ClockMove& move) {
    db.run(
        "UPDATE part_sets SET begun_at = begun_at + ? WHERE open = 1 AND begun_at > ? AND begun_at "
        "<= ?",
        move.by.count(), move.after, move.until);
}

}  // namespace smsrack::db
