/// Webhooks: their cursors, and the rows of what is sent.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "db/engine/writer.hpp"
#include "src/base/clock_move.hpp"
#include "src/ports/webhook_store.hpp"

#include <cstddef>
#include <vector>

namespace smsrack::db {

[[nodiscard]] std::vector<ports::WebhookRow> apply(Writer& writer,
                                                   const ports::KeepWebhooks& command);
void apply(Writer& writer, const ports::StageDeliveries& command);
[[nodiscard]] ports::DueDeliveries apply(Writer& writer, const ports::ReadDueDeliveries& command);
[[nodiscard]] std::vector<ports::Delivery> apply(Writer& writer,
                                                 const ports::ReadDeliveries& command);
[[nodiscard]] std::vector<EventSeq> apply(Writer& writer, const ports::EndAttempts& command);
void apply(Writer& writer, const ports::KeepWebhookLife& command);
[[nodiscard]] std::size_t apply(Writer& writer, const ports::ReplayDeliveries& command);
[[nodiscard]] std::size_t apply(Writer& writer, const ports::ReviveDeliveries& command);

/// The clock was set: what waits keeps its pauses and its time to live, and what is kept its age.
void move_deliveries(Connection& db, const ClockMove& move);

/// One thing has some ten events, a webhook a million: without this index each event would read all
/// rows of its webhook.
inline constexpr Sql first_of_thing_sql =
    "SELECT min(event) FROM deliveries INDEXED BY deliveries_things WHERE webhook = ? AND thing = "
    "? AND thing <> 0 AND state = 0";
inline constexpr Sql hold_others_sql =
    "UPDATE deliveries INDEXED BY deliveries_things SET next_at = NULL WHERE webhook = ? AND thing "
    "= ? AND thing <> 0 AND state = 0 AND event > ? AND next_at IS NOT NULL";
/// While a webhook fails, a backlog of fresh ones is due too: they have another index.
inline constexpr Sql due_tried_sql =
    "SELECT event, thing, type, at, attempts, tries, first_at, body FROM deliveries INDEXED BY "
    "deliveries_retries WHERE webhook = ? AND state = 0 AND next_at <= ? AND tries > 0 ORDER BY "
    "next_at LIMIT ?";

}  // namespace smsrack::db
