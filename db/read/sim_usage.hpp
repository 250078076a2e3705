/// What a SIM has sent, as its rows have it.
///
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/ids.hpp"
#include "src/sms/sim_usage.hpp"

#include <cstdint>
#include <vector>

namespace smsrack::db {

[[nodiscard]] SimUsage load_usage(Connection& db, SimId sim);

/// Hashes of those whom it has sent to in that month; only of a SIM with a quota of recipients.
[[nodiscard]] std::vector<std::uint64_t> recipients_of(Connection& db, SimId sim,
                                                       std::int64_t month);

}  // namespace smsrack::db
