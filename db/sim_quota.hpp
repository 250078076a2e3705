/// What each SIM has sent, counted in the transaction that begins an attempt: so no crash forgets
/// a segment that may have left.
///
/// Threads: the writing thread.
/// Errors:  quota_exhausted, with retry_after; StorageFailure (inside db).
#pragma once

#include "db/connection.hpp"
#include "src/ports/store.hpp"

#include <cstdint>

namespace smsrack::db {

/// Counts the segment of `start` on its SIM; nothing is changed where it has no room, or no quota.
[[nodiscard]] Result<> count_attempt(Connection& db, const ports::AttemptStart& start);

/// What was counted by another clock is as recent as it was: no minute and no hour holds more than its limit, or waits for longer.
void move_usage(Connection& db, const ClockMove& move);

[[nodiscard]] ports::UsedQuota used_quota(Connection& db, SimId sim, std::int64_t month);

}  // namespace smsrack::db
