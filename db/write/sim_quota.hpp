/// What each SIM has sent, counted in the transaction that begins an attempt: so no crash forgets
/// a segment that may have left.
///
/// Threads: the writing thread.
/// Errors:  quota_exhausted, with retry_after; StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/send_commands.hpp"
#include "src/ports/sim_commands.hpp"

#include <cstdint>

namespace smsrack::db {

/// Counts the segment of `start` on its SIM; nothing is changed where it has no room, or no quota.
[[nodiscard]] Result<> count_attempt(Connection& db, const ports::BeginAttempt& start);

/// What was counted by another clock is as recent as it was: no minute and no hour holds more than its limit, or waits for longer.
void move_usage(Connection& db, const ClockMove& move);

[[nodiscard]] ports::UsedQuota apply(Writer& writer, const ports::ReadQuota& command);

}  // namespace smsrack::db
