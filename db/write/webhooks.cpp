#include "db/write/webhooks.hpp"

#include "db/read/event_log.hpp"
#include "db/read/first_since.hpp"
#include "db/read/webhook_filter.hpp"
#include "db/upkeep/retention.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace smsrack::db {
namespace {

using ports::Delivery;
using ports::DeliveryState;
using ports::NewDelivery;
using ports::ThingId;
using ports::WebhookId;

constexpr std::string_view dead_event = "webhook.dead";

/// The last event before `since`: of both tables that have events.
EventSeq last_before(Writer& writer, WallTime since) {
    const std::int64_t none = writer.ledger.last_number() + 1;
    const auto message = writer.db.scalar<std::int64_t>(
        "SELECT id FROM messages WHERE id >= ? ORDER BY id LIMIT 1", none,
        first_since(writer.db,
                    "SELECT id, created_at FROM messages WHERE id >= ? AND id < ? ORDER BY id "
                    "LIMIT 1",
                    since));
    const auto event = writer.db.scalar<std::int64_t>(
        "SELECT seq FROM events WHERE seq >= ? ORDER BY seq LIMIT 1", none,
        first_since(writer.db,
                    "SELECT seq, at FROM events WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT 1",
                    since));
    return EventSeq{std::min(message, event) - 1};
}

ports::WebhookRow read_webhook(Connection& db, const std::string& name) {
    ports::WebhookRow row{.name = name};
    (void)db.first(
        std::tie(row.id, row.cursor, row.life.state, row.life.failures, row.life.changed_at,
                 row.life.reason, row.paused_until, row.loss.events, row.loss.since),
        "SELECT id, cursor, state, failures, changed_at, reason, paused_until, lost, "
        "lost_at FROM webhooks WHERE name = ?",
        name);
    return row;
}

std::string patterns_of(const ports::KeepWebhooks::Wish& wish) {
    return fmt::format("{}", fmt::join(wish.events, " "));
}

/// Where the webhook wants other events than before: the last event up to which it has skipped all.
/// A webhook writes its cursor seldom while nothing is wanted, and a kill leaves it behind.
std::optional<EventSeq> skipped_to(Connection& db, const ports::KeepWebhooks::Wish& wish) {
    constexpr std::size_t skipped_max = 1'000;  // more than a webhook skips without a write
    EventSeq cursor;
    std::string events;
    std::string client;
    if (!db.first(std::tie(cursor, events, client),
                  "SELECT cursor, events, client FROM webhooks WHERE name = ?", wish.name) ||
        events.empty() || (events == patterns_of(wish) && client == wish.client)) {
        return std::nullopt;
    }
    const WebhookFilter before(db, wish.name, client, events);
    for (const Event& event : read_events(db, cursor, skipped_max)) {
        if (before.wants(event)) {
            break;
        }
        cursor = event.seq;
    }
    return cursor;
}

/// Only the first waiting event of a thing may be sent; it may be from now on, if it was not yet.
void settle_order(Connection& db, WebhookId webhook, ThingId thing, WallTime now) {
    if (thing == ThingId{}) {
        return;
    }
    const auto first = db.scalar<EventSeq>(first_of_thing_sql, {}, webhook, thing);
    if (first == EventSeq{}) {
        return;
    }
    db.run("UPDATE deliveries SET next_at = ? WHERE webhook = ? AND event = ? AND next_at IS NULL",
           now, webhook, first);
    db.run(hold_others_sql, webhook, thing, first);
}

/// False: it is there already.
bool insert(Connection& db, WebhookId webhook, const NewDelivery& one, WallTime now) {
    db.run(
        "INSERT INTO deliveries (webhook, event, state, thing, type, at, attempts, tries, "
        "first_at, next_at, changed_at, body) VALUES (?1, ?2, 0, ?3, ?4, ?5, 0, 0, NULL, ?6, ?6, "
        "?7) ON CONFLICT DO NOTHING",
        webhook, one.event, one.thing, std::string_view(one.type), one.at, now,
        std::string_view(one.body));
    return db.changed_rows() > 0;
}

Delivery read_delivery(const Rows& row) {
    Delivery d;
    row.read(d.what.event, d.what.thing, d.what.type, d.what.at, d.attempts, d.tries, d.first_at,
             d.what.body);
    return d;
}

/// Waits again, from its first try on. `body`: where the row has none any more.
bool revive(Connection& db, WebhookId webhook, EventSeq event, std::string_view body,
            WallTime now) {
    db.run(
        "UPDATE deliveries SET state = 0, tries = 0, first_at = NULL, next_at = ?3, changed_at = "
        "?3, body = coalesce(body, ?4) WHERE webhook = ?1 AND event = ?2 AND state <> 0",
        webhook, event, now, body);
    return db.changed_rows() > 0;
}

void write_life(Connection& db, WebhookId webhook, const ports::WebhookLife& life,
                std::optional<WallTime> paused_until) {
    db.run(
        "UPDATE webhooks SET state = ?, failures = ?, changed_at = ?, reason = ?, paused_until = ? "
        "WHERE id = ?",
        life.state, life.failures, life.changed_at, std::string_view(life.reason), paused_until,
        webhook);
}

/// A dead webhook.dead makes no further one: two webhooks that report each other's would never end.
void tell_dead(Writer& writer, const ports::EndAttempts& command, EventSeq event,
               std::string_view type) {
    if (type != dead_event) {
        (void)writer.ledger.append({.at = command.at,
                                    .type = EventType::webhook_dead,
                                    .detail = fmt::format("{} {}", command.name, event.value)},
                                   {});
    }
}

/// Whether it was expected.
bool end(Writer& writer, const ports::EndAttempts& command, const ports::EndAttempts::End& one) {
    ThingId thing;
    std::string type;
    if (!writer.db.first(std::tie(thing, type),
                         "SELECT thing, type FROM deliveries WHERE webhook = ? AND event = ? AND "
                         "state = 0 AND attempts + 1 = ?",
                         command.webhook, one.event, one.attempt.attempt)) {
        return false;
    }
    const ports::DeliveryAttempt& made = one.attempt;
    writer.db.run(
        "INSERT INTO delivery_attempts (webhook, event, attempt, at, ms, status, error, answer) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        command.webhook, one.event, made.attempt, made.at, made.took.count(), made.status,
        std::string_view(made.error), std::string_view(made.answer));
    const bool waits = one.state == DeliveryState::waiting;
    writer.db.run(
        "UPDATE deliveries SET state = ?3, attempts = ?4, tries = tries + 1, first_at = "
        "coalesce(first_at, ?5), next_at = ?6, changed_at = ?5, body = CASE WHEN ?3 = 1 THEN NULL "
        "ELSE body END WHERE webhook = ?1 AND event = ?2",
        command.webhook, one.event, one.state, made.attempt, command.at,
        waits ? std::optional(one.next_at) : std::nullopt);
    if (one.state == DeliveryState::dead) {
        tell_dead(writer, command, one.event, type);
    }
    settle_order(writer.db, command.webhook, thing, command.at);
    return true;
}

}  // namespace

std::vector<ports::WebhookRow> apply(Writer& writer, const ports::KeepWebhooks& command) {
    std::vector<ports::WebhookRow> rows;
    std::set<WebhookId> named;
    for (const ports::KeepWebhooks::Wish& wish : command.wishes) {
        const EventSeq cursor =
            wish.since ? last_before(writer, *wish.since) : EventSeq{writer.ledger.last_number()};
        const auto skipped = skipped_to(writer.db, wish);
        writer.db.run(
            "INSERT INTO webhooks (name, created_at, cursor, state, failures, changed_at, reason, "
            "keep_days, seen_at, events, client) VALUES (?1, ?2, ?3, 0, 0, ?2, '', ?4, ?2, ?5, ?6) "
            "ON CONFLICT (name) DO UPDATE SET keep_days = ?4, seen_at = ?2, events = ?5, client = "
            "?6, cursor = max(cursor, coalesce(?7, 0))",
            wish.name, command.at, cursor, wish.keep.count(), patterns_of(wish), wish.client,
            skipped);
        // A database that was restored may be older than the cursor of a copy.
        writer.db.run("UPDATE webhooks SET cursor = ?2 WHERE name = ?1 AND cursor > ?2", wish.name,
                      writer.ledger.last_number());
        rows.push_back(read_webhook(writer.db, wish.name));
        named.insert(rows.back().id);
    }
    writer.retention.keep_webhooks(std::move(named));
    return rows;
}

void apply(Writer& writer, const ports::StageDeliveries& command) {
    for (const NewDelivery& one : command.deliveries) {
        if (insert(writer.db, command.webhook, one, command.at)) {
            settle_order(writer.db, command.webhook, one.thing, command.at);
        }
    }
    writer.db.run("UPDATE webhooks SET cursor = max(cursor, ?) WHERE id = ?", command.cursor,
                  command.webhook);
}

ports::DueDeliveries apply(Writer& writer, const ports::ReadDueDeliveries& command) {
    ports::DueDeliveries found;
    std::size_t bytes = 0;
    const auto read = [&](Rows rows) {
        while (bytes < command.bytes_max && found.due.size() < command.limit && rows.next()) {
            found.due.push_back(read_delivery(rows));
            bytes += found.due.back().what.body.size();
        }
    };
    if (command.retries_first) {
        read(writer.db.query(due_tried_sql, command.webhook, command.at, command.limit));
        // Of those that were tried it meets no more than were just read.
        read(writer.db.query(
            "SELECT event, thing, type, at, attempts, tries, first_at, body FROM deliveries "
            "INDEXED BY deliveries_waiting WHERE webhook = ? AND state = 0 AND next_at <= ? AND "
            "tries = 0 ORDER BY next_at LIMIT ?",
            command.webhook, command.at, command.limit));
    } else {
        read(writer.db.query(
            "SELECT event, thing, type, at, attempts, tries, first_at, body FROM deliveries "
            "INDEXED BY deliveries_waiting WHERE webhook = ? AND state = 0 AND next_at <= ? ORDER "
            "BY next_at, event LIMIT ?",
            command.webhook, command.at, command.limit));
    }
    found.next = writer.db.scalar<std::optional<WallTime>>(
        "SELECT min(next_at) FROM deliveries INDEXED BY deliveries_waiting WHERE webhook = ? AND "
        "state = 0 AND next_at > ?",
        {}, command.webhook, command.at);
    return found;
}

std::vector<Delivery> apply(Writer& writer, const ports::ReadDeliveries& command) {
    std::vector<Delivery> found;
    for (const EventSeq event : command.events) {
        Rows rows = writer.db.query(
            "SELECT event, thing, type, at, attempts, tries, first_at, body FROM deliveries "
            "WHERE webhook = ? AND event = ? AND state = 0",
            command.webhook, event);
        if (rows.next()) {
            found.push_back(read_delivery(rows));
        }
    }
    return found;
}

std::vector<EventSeq> apply(Writer& writer, const ports::EndAttempts& command) {
    std::vector<EventSeq> expected;
    for (const ports::EndAttempts::End& one : command.ends) {
        if (end(writer, command, one)) {
            expected.push_back(one.event);
        }
    }
    write_life(writer.db, command.webhook, command.life, command.paused_until);
    return expected;
}

void apply(Writer& writer, const ports::KeepWebhookLife& command) {
    write_life(writer.db, command.webhook, command.life, command.paused_until);
    if (command.hurry) {
        // The time when nothing was sent does not count against them.
        writer.db.run(
            "UPDATE deliveries INDEXED BY deliveries_retries SET tries = 0, first_at = NULL WHERE "
            "webhook = ? AND state = 0 AND tries > 0",
            command.webhook);
        writer.db.run("UPDATE webhooks SET lost = 0, lost_at = NULL WHERE id = ?", command.webhook);
        writer.db.run(
            "UPDATE deliveries SET next_at = ?1 WHERE webhook = ?2 AND state = 0 AND next_at > ?1",
            *command.hurry, command.webhook);
    }
}

std::size_t apply(Writer& writer, const ports::ReplayDeliveries& command) {
    const auto cursor =
        writer.db.scalar<EventSeq>("SELECT cursor FROM webhooks WHERE id = ?", {}, command.webhook);
    std::size_t count = 0;
    for (const NewDelivery& one : command.deliveries) {
        if (one.event <= cursor &&
            (insert(writer.db, command.webhook, one, command.at) ||
             revive(writer.db, command.webhook, one.event, one.body, command.at))) {
            ++count;
            settle_order(writer.db, command.webhook, one.thing, command.at);
        }
    }
    return count;
}

std::size_t apply(Writer& writer, const ports::ReviveDeliveries& command) {
    const auto dead = writer.db.tuples<EventSeq, ThingId>(
        "SELECT event, thing FROM deliveries INDEXED BY deliveries_dead WHERE webhook = ? AND "
        "state = 2 AND body IS NOT NULL ORDER BY event LIMIT ?",
        command.webhook, command.limit);
    for (const auto& [event, thing] : dead) {
        (void)revive(writer.db, command.webhook, event, "", command.at);
        settle_order(writer.db, command.webhook, thing, command.at);
    }
    return dead.size();
}

void move_deliveries(Connection& db, const ClockMove& move) {
    const std::int64_t by = move.by.count();
    db.run(
        "UPDATE deliveries SET next_at = next_at + ?1, first_at = first_at + ?1, changed_at = "
        "changed_at + ?1 WHERE state = 0 AND changed_at > ?2 AND changed_at <= ?3",
        by, move.after, move.until);
    db.run(
        "UPDATE deliveries INDEXED BY deliveries_ended SET changed_at = changed_at + ?1 WHERE "
        "webhook IN (SELECT id FROM webhooks) AND state <> 0 AND changed_at > ?2 AND changed_at <= "
        "?3",
        by, move.after, move.until);
    db.run("UPDATE webhooks SET seen_at = seen_at + ?1 WHERE seen_at > ?2 AND seen_at <= ?3", by,
           move.after, move.until);
    db.run("UPDATE webhooks SET paused_until = paused_until + ?1 WHERE paused_until > ?2", by,
           move.after);
}

}  // namespace smsrack::db
