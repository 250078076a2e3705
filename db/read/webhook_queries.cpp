#include "db/read/webhook_queries.hpp"

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

/// Each filter has a statement of its own, so that each finds its index. The events of a time are
/// found by their numbers, which grow with time.
std::vector<DeliveryRow> read_rows(Connection& db, const DeliveryFilter& f, EventSeq before,
                                   WallTime since) {
    if (f.event != EventSeq{}) {
        return db.all(read_row,
                      "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
                      "deliveries WHERE webhook = ? AND event = ? AND event < ? AND at >= ?",
                      f.webhook, f.event, before, since);
    }
    if (f.thing != ports::ThingId{}) {
        return db.all(read_row,
                      "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
                      "deliveries WHERE webhook = ? AND thing = ? AND thing <> 0 AND event < ? AND "
                      "at >= ? ORDER BY event DESC LIMIT ?",
                      f.webhook, f.thing, before, since, f.limit);
    }
    if (f.state == DeliveryState::waiting) {
        return db.all(read_row,
                      "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
                      "deliveries INDEXED BY deliveries_waiting WHERE webhook = ? AND state = 0 "
                      "AND event < ? AND at >= ? ORDER BY event DESC LIMIT ?",
                      f.webhook, before, since, f.limit);
    }
    if (f.state == DeliveryState::dead) {
        return db.all(read_row,
                      "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
                      "deliveries INDEXED BY deliveries_dead WHERE webhook = ? AND state = 2 AND "
                      "event < ? AND at >= ? ORDER BY event DESC LIMIT ?",
                      f.webhook, before, since, f.limit);
    }
    if (f.state) {
        return db.all(read_row,
                      "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
                      "deliveries WHERE webhook = ? AND state = 1 AND event < ? AND at >= ? ORDER "
                      "BY event DESC LIMIT ?",
                      f.webhook, before, since, f.limit);
    }
    return db.all(
        read_row,
        "SELECT event, thing, state, type, at, attempts, next_at, changed_at FROM "
        "deliveries WHERE webhook = ? AND event < ? AND at >= ? ORDER BY event DESC LIMIT "
        "?",
        f.webhook, before, since, f.limit);
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
        const EventSeq before = filter.before != EventSeq{}
                                    ? filter.before
                                    : EventSeq{std::numeric_limits<std::int64_t>::max()};
        auto rows = read_rows(db_, filter, before, filter.since.value_or(WallTime{}));
        std::erase_if(rows, [&](const DeliveryRow& row) {
            return filter.state && row.state != *filter.state;  // with an event or a message
        });
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
        return counts;
    });
}

}  // namespace smsrack::db
