#include "db/upkeep/webhook_rows.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace smsrack::db {
namespace {

using ports::WebhookId;

void remove_rows(Connection& db, WebhookId webhook, const std::vector<EventSeq>& events) {
    for (const EventSeq event : events) {
        db.run("DELETE FROM delivery_attempts WHERE webhook = ? AND event = ?", webhook, event);
        db.run("DELETE FROM deliveries WHERE webhook = ? AND event = ?", webhook, event);
    }
}

}  // namespace

std::size_t remove_deliveries(Connection& db, const std::set<WebhookId>& named, WallTime now,
                              std::size_t limit) {
    std::size_t removed = 0;
    for (const auto& [id, days, seen_at] : db.tuples<WebhookId, std::int64_t, WallTime>(
             "SELECT id, keep_days, seen_at FROM webhooks")) {
        const WallTime before = now - std::chrono::days(days);
        // A webhook of the configuration is named again each day.
        const bool gone = !named.contains(id) && seen_at + std::chrono::days(1) < before;
        const std::size_t most = limit - removed;
        const auto old =
            gone ? db.column<EventSeq>("SELECT event FROM deliveries WHERE webhook = ? LIMIT ?", id,
                                       most)
                 : db.column<EventSeq>(
                       "SELECT event FROM deliveries INDEXED BY deliveries_ended WHERE webhook = ? "
                       "AND state <> 0 AND changed_at < ? LIMIT ?",
                       id, before, most);
        remove_rows(db, id, old);
        removed += old.size();
        if (gone && old.size() < most) {
            db.run("DELETE FROM webhooks WHERE id = ?", id);
        }
        if (removed >= limit) {
            break;
        }
    }
    return removed;
}

std::size_t strip_deliveries(Connection& db, WallTime before, std::size_t limit) {
    const auto old = db.tuples<WebhookId, EventSeq>(
        "SELECT webhook, event FROM deliveries INDEXED BY deliveries_bodies WHERE state = 2 AND "
        "body IS NOT NULL AND at < ? LIMIT ?",
        before, limit);
    for (const auto& [webhook, event] : old) {
        db.run("UPDATE deliveries SET body = NULL WHERE webhook = ? AND event = ?", webhook, event);
        db.run("UPDATE delivery_attempts SET answer = '' WHERE webhook = ? AND event = ?", webhook,
               event);  // also younger ones
    }
    return old.size();
}

std::size_t strip_answers(Connection& db, WallTime before, std::size_t limit) {
    const auto old = db.tuples<WebhookId, EventSeq, std::int64_t>(
        "SELECT webhook, event, attempt FROM delivery_attempts INDEXED BY "
        "delivery_attempts_answers WHERE answer <> '' AND at < ? LIMIT ?",
        before, limit);
    for (const auto& [webhook, event, attempt] : old) {
        db.run(
            "UPDATE delivery_attempts SET answer = '' WHERE webhook = ? AND event = ? AND attempt "
            "= ?",
            webhook, event, attempt);
    }
    return old.size();
}

}  // namespace smsrack::db
