#include "db/write/parts.hpp"

#include <optional>
#include <tuple>

namespace smsrack::db {
namespace {

std::optional<PartSet> find_open(Writer& writer, const NewMessage& part, ClientId client) {
    const PartPlace& place = *part.body.part;
    for (const auto& [id, group, begun_at, came] :
         writer.db.tuples<PartSetId, GroupId, WallTime, int>(
             "SELECT id, grp, begun_at, came FROM part_sets INDEXED BY part_sets_open WHERE open = "
             "1 AND to_addr = ? AND key = ? AND client = ? AND owner = ? AND total = ? AND NOT "
             "EXISTS (SELECT 1 FROM messages m INDEXED BY messages_parts WHERE m.part_set IS NOT "
             "NULL AND m.part_set = part_sets.id AND m.part = total * 256 + ?) ORDER BY id",
             part.body.to, part.part_key, client, client == ClientId{} ? part.owner : OwnerId{},
             place.total, place.number)) {
        if (begun_at + parts_wait > part.created_at) {
            return PartSet{.id = id,
                           .group = group,
                           .begun_at = begun_at,
                           .is_complete = came + 1 == place.total};
        }
    }
    return std::nullopt;
}

bool has_part_under_way(Connection& db, PartSetId set) {
    return db.scalar<bool>(
        "SELECT EXISTS (SELECT 1 FROM messages INDEXED BY messages_parts WHERE part_set IS NOT "
        "NULL AND part_set = ? AND state IN (1, 2))",
        false, set);
}

void queue_part(Writer& writer, MessageId id, WallTime now) {
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

}  // namespace

PartSet join_part_set(Writer& writer, const NewMessage& part, ClientId client, GroupId group) {
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
    queue_next(writer, part.part_set, now);
}

void follow_part(Writer& writer, const MessageRecord& part, WallTime at) {
    if (part.state != MessageState::scheduled && !is_work(part.state)) {
        queue_next(writer, part.part_set, at);
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

void remove_part_set(Connection& db, PartSetId set) {
    db.run(
        "DELETE FROM part_sets WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM messages INDEXED BY "
        "messages_parts WHERE part_set IS NOT NULL AND part_set = ?1)",
        set);
}

void move_part_sets(Connection& db, const ClockMove& move) {
    db.run(
        "UPDATE part_sets SET begun_at = begun_at + ? WHERE open = 1 AND begun_at > ? AND begun_at "
        "<= ?",
        move.by.count(), move.after, move.until);
}

}  // namespace smsrack::db
