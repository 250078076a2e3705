#include "db/read/webhook_queries.hpp"

#include "db/read/first_since.hpp"

#include <limits>
#include <tuple>

namespace smsrack::db {
namespace {

using ports::DeliveryFilter;
using ports::DeliveryRow;
using ports::DeliveryState;

DeliveryRow read_row(const Rows& row) {
    DeliveryRow r;
    row.read(r.event, r.thing, r.state, r.type, r.at, r.attempts, r.next_at, r.changed_at);
    return r;
}

/// What each statement of the list has.
struct Bounds {
    EventSeq first = {};
    EventSeq before = {};
    WallTime since = {};
};

/// The events of a period are found by their numbers, which grow with time.
Bounds bounds_of(Connection& db, const DeliveryFilter& f) {
    return {.first = f.since ? EventSeq{first_since(
                                   db,
                                   "SELECT event, at FROM deliveries WHERE event >= ?1 AND event < "
                                   "?2 AND webhook = ?3 ORDER BY event LIMIT 1",
                                   *f.since, f.webhook)}
                             : EventSeq{},
            .before = f.before != EventSeq{} ? f.before
                                             : EventSeq{std::numeric_limits<std::int64_t>::max()},
            .since = f.since.value_or(WallTime{})};
}

/// Each filter has a statement of its own, so that each finds its index.
std::vector<DeliveryRow> read_rows(Connection& db, const DeliveryFilter& f, const Bounds& b) {
    const DeliveryState lowest = f.state.value_or(DeliveryState::waiting);
    const DeliveryState highest = f.state.value_or(DeliveryState::dead);
    if (f.event != EventSeq{}) {
        return db.all(read_row,
                      "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
                      "deliveries WHERE webhook = ? AND event = ? AND event < ? AND at >= ? AND "
                      "state BETWEEN ? AND ?",
                      f.webhook, f.event, b.before, b.since, lowest, highest);
    }
    if (f.thing != ports::ThingId{}) {
        return db.all(read_row,
                      "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
                      "deliveries WHERE webhook = ? AND thing = ? AND thing <> 0 AND event < ? AND "
                      "at >= ? AND state BETWEEN ? AND ? ORDER BY event DESC LIMIT ?",
                      f.webhook, f.thing, b.before, b.since, lowest, highest, f.limit);
    }
    if (f.state == DeliveryState::waiting) {
        return db.all(read_row,
                      "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
                      "deliveries INDEXED BY deliveries_backlog WHERE webhook = ? AND state = 0 "
                      "AND event >= ? AND event < ? AND at >= ? ORDER BY event DESC LIMIT ?",
                      f.webhook, b.first, b.before, b.since, f.limit);
    }
    if (f.state == DeliveryState::dead) {
        return db.all(read_row,
                      "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
                      "deliveries INDEXED BY deliveries_dead WHERE webhook = ? AND state = 2 AND "
                      "event >= ? AND event < ? AND at >= ? ORDER BY event DESC LIMIT ?",
                      f.webhook, b.first, b.before, b.since, f.limit);
    }
    return db.all(read_row,
                  "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
                  "deliveries WHERE webhook = ? AND event >= ? AND event < ? AND at >= ? AND state "
                  "BETWEEN ? AND ? ORDER BY event DESC LIMIT ?",
                  f.webhook, b.first, b.before, b.since, lowest, highest, f.limit);
}

std::vector<ports::DeliveryAttempt> read_attempts(Connection& db, ports::WebhookId webhook,
                                                  EventSeq event) {
    const auto read = [](const Rows& row) {
        ports::DeliveryAttempt a;
        std::int64_t ms = 0;
        row.read(a.attempt, a.at, ms, a.status, a.error, a.answer);
        a.took = std::chrono::milliseconds(ms);
        return a;
    };
    return db.all(read,
                  "SELECT attempt, at, ms, status, error, answer FROM (SELECT * FROM "
                  "delivery_attempts WHERE webhook = ? AND event = ? ORDER BY attempt DESC LIMIT "
                  "?) ORDER BY attempt",
                  webhook, event, ports::attempts_shown);
}

}  // namespace

Result<std::vector<DeliveryRow>> WebhookQueries::deliveries(const DeliveryFilter& filter) {
    return guarded([&] {
        auto rows = read_rows(db_, filter, bounds_of(db_, filter));
        for (DeliveryRow& row : rows) {
            row.made = read_attempts(db_, filter.webhook, row.event);
        }
        return rows;
    });
}

Result<ports::DeliveryCounts> WebhookQueries::counts(ports::WebhookId webhook, std::size_t most) {
    return guarded([&] {
        ports::DeliveryCounts counts;
        (void)db_.first(std::tie(counts.waiting, counts.oldest),
                        "SELECT count(*), min(at) FROM (SELECT at FROM deliveries INDEXED BY "
                        "deliveries_waiting WHERE webhook = ? AND state = 0 LIMIT ?)",
                        webhook, most);
        counts.dead = db_.scalar<std::size_t>(
            "SELECT count(*) FROM (SELECT 1 FROM deliveries INDEXED BY deliveries_dead WHERE "
            "webhook = ? AND state = 2 LIMIT ?)",
            0, webhook, most);
        (void)db_.first(std::tie(counts.loss.events, counts.loss.since),
                        "SELECT lost, lost_at FROM webhooks WHERE id = ?", webhook);
        return counts;
    });
}

}  // namespace smsrack::db
