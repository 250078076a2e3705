#include "db/upkeep/retention.hpp"

#include "db/read/message_record.hpp"
#include "db/read/recipient_sims.hpp"
#include "db/upkeep/message_removal.hpp"
#include "db/upkeep/roll_up.hpp"
#include "db/upkeep/webhook_losses.hpp"
#include "db/upkeep/webhook_rows.hpp"
#include "db/write/audit.hpp"
#include "db/write/batches.hpp"
#include "db/write/clients.hpp"
#include "db/write/conversations.hpp"
#include "db/write/parts.hpp"
#include "db/write/refusals.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace smsrack::db {
namespace {

std::size_t changed(Connection& db) {
    return static_cast<std::size_t>(db.changed_rows());
}

std::size_t remove_inbox(Connection& db, WallTime before, std::size_t limit) {
    std::size_t removed = 0;
    // Rows come in order of time, so the old ones are the first: no index on received_at.
    for (const auto& [id, from, received_at] : db.tuples<InboxId, std::string, WallTime>(
             "SELECT id, from_addr, received_at FROM inbox ORDER BY id LIMIT ?", limit)) {
        if (received_at >= before) {
            break;
        }
        ++removed;
        db.run("DELETE FROM inbound_segments WHERE inbox = ?", id);
        db.run("DELETE FROM inbox WHERE id = ?", id);
        forget_if_empty(db, from);
    }
    return removed;
}

std::size_t remove_silent(Connection& db, WallTime before, std::size_t limit) {
    db.run(
        "DELETE FROM inbound_segments WHERE id IN (SELECT id FROM inbound_segments WHERE inbox = 0 "
        "AND received_at < ? LIMIT ?)",
        before, limit);
    return changed(db);
}

void count_losses(Connection& db, WallTime before, std::size_t limit, WebhookLosses& losses) {
    const auto newest = db.scalar<EventSeq>(
        "SELECT max(seq) FROM (SELECT seq FROM events ORDER BY seq LIMIT ?)", {}, limit);
    if (!losses.may_lose(newest)) {
        return;
    }
    const auto read = [](const Rows& row) {
        Event e;
        row.read(e.seq, e.type, e.state, e.client, e.detail);
        return e;
    };
    for (const Event& event :
         db.all(read,
                "SELECT seq, type, state, client, detail FROM (SELECT * FROM events ORDER BY seq "
                "LIMIT ?) WHERE at < ?",
                limit, before)) {
        losses.removed(event);
    }
}

/// Those of messages that are not at their end go too.
std::size_t remove_events(Writer& writer, WallTime before, std::size_t limit,
                          WebhookLosses& losses) {
    count_losses(writer.db, before, limit, losses);
    std::map<ClientId, std::vector<EventSeq>> of_clients;
    for (const auto& [client, seq] : writer.db.tuples<ClientId, EventSeq>(
             "SELECT client, seq FROM (SELECT client, seq, at FROM events ORDER BY seq LIMIT ?) "
             "WHERE at < ? AND client <> 0",
             limit, before)) {
        of_clients[client].push_back(seq);
    }
    writer.db.run(
        "DELETE FROM events WHERE seq IN (SELECT seq FROM (SELECT seq, at FROM events ORDER BY seq "
        "LIMIT ?) WHERE at < ?)",
        limit, before);
    const std::size_t removed = changed(writer.db);
    for (const auto& [client, events] : of_clients) {
        note_lost(writer, client, events, writer.clock.wall());
    }
    return removed;
}

std::size_t remove_reports(Connection& db, WallTime before, std::size_t limit) {
    db.run(
        "DELETE FROM reports WHERE id IN (SELECT id FROM (SELECT id, received_at FROM reports "
        "ORDER BY id LIMIT ?) WHERE received_at < ?)",
        limit, before);
    return changed(db);
}

}  // namespace

std::size_t Retention::remove_messages(Writer& writer, WallTime before, std::size_t limit,
                                       WebhookLosses& losses) {
    const auto read = [](const Rows& row) {
        OldMessage o;
        row.read(o.id, o.state, o.created_at, o.updated_at, o.attempt, o.event, o.batch, o.client,
                 o.flags, o.part_set, o.is_to_settle);
        return o;
    };
    const auto rows =
        writer.db.all(read,
                      "SELECT id, state, created_at, updated_at, last_attempt, last_event, batch, "
                      "client, flags, part_set, CASE WHEN flags & 32 THEN coalesce((SELECT stage = "
                      "4 FROM fleet_messages f WHERE f.id = messages.id), 0) ELSE 0 END FROM "
                      "messages WHERE id > ? ORDER BY id LIMIT ?",
                      looked_at_, limit);
    std::size_t removed = 0;
    for (const OldMessage& old : rows) {
        if (old.created_at >= before) {
            looked_at_ = {};
            return removed;
        }
        looked_at_ = old.id;
        // A report that did not come in all this time never comes: `sent` is an end too.
        const bool ended = is_final(old.state) || old.state == MessageState::sent;
        if (ended && !old.is_to_settle && old.updated_at < before) {
            const auto events = remove_message(writer.db, old, losses);
            note_lost(writer, old.client, events, writer.clock.wall());
            writer.ledger.count(old.state, Level{},
                                -1);  // never a queued one: the level is not asked
            writer.ledger.count(old.batch, old.state, -1);
            writer.ledger.count(old.client, old.state, -1);
            ++removed;
        }
    }
    if (rows.size() < limit) {
        looked_at_ = {};
    }
    return removed;
}

std::size_t Retention::remove(Writer& writer, const ports::RemoveOld& command) {
    const auto& [messages_before, inbox_before, limit] = command;
    const WallTime reports_before = writer.clock.wall() - writer.settings.report_window;
    WebhookLosses losses(writer.db);
    // First, so that a message says that it waits no more before it is removed.
    std::size_t removed = missing_reports_.step(writer, limit);
    const auto left = [&removed, most = limit] { return most - removed; };
    removed += left() > 0 ? remove_messages(writer, messages_before, left(), losses) : 0;
    removed += left() > 0 ? remove_inbox(writer.db, inbox_before, left()) : 0;
    removed += left() > 0 ? remove_silent(writer.db, inbox_before, left()) : 0;
    removed += left() > 0 ? remove_events(writer, messages_before, left(), losses) : 0;
    losses.write(writer.clock.wall());
    removed += left() > 0 ? remove_reports(writer.db, reports_before, left()) : 0;
    removed += left() > 0 ? remove_audit(writer.db, messages_before, left()) : 0;
    removed += left() > 0 ? remove_refusals(writer.db, messages_before, left()) : 0;
    removed += left() > 0 ? roll_up_history(writer.db, writer.clock.wall(), left()) : 0;
    removed += left() > 0 ? remove_history(writer.db, messages_before, left()) : 0;
    removed +=
        left() > 0 ? remove_deliveries(writer.db, webhooks_, writer.clock.wall(), left()) : 0;
    if (left() > 0) {
        conversations_.step(writer.db, left());
        remove_empty_batches(writer, messages_before, left());
        remove_old_clients(writer, messages_before, left());
        remove_old_recipient_sims(writer.db, messages_before, left());
        close_late_part_sets(writer, left());
    }
    if (left() > 0) {
        const auto oldest =
            writer.db.scalar<MessageId>("SELECT id FROM messages ORDER BY id LIMIT 1",
                                        MessageId{writer.ledger.last_number() + 1});
        remove_orphaned_part_sets(writer.db, oldest, left());
        if (writer.hashes.remove_step(oldest, left())) {
            removed = limit;
        }
    }
    return removed;
}

std::size_t apply(Writer& writer, const ports::RemoveOld& command) {
    return writer.retention.remove(writer, command);
}

}  // namespace smsrack::db
