/// Webhooks: their cursors, and the rows of what is sent.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

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

/// The clock was set: what waits keeps its pauses and its time to live.
void move_deliveries(Connection& db, const ClockMove& move);

}  // namespace smsrack::db
