/// Whether a report, an answer or the rest of a message is still expected for a SIM, or for any.
///
/// Threads: those of the connection.
/// Errors:  exceptions of the connection.
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/ports/store_reader.hpp"

namespace smsrack::db {

/// `sim`: 0: any. `settled`: of the answer before, for the same SIM; 0: there was none.
[[nodiscard]] ports::Expected expected_for(Connection& db, SimId sim, WallTime now,
                                           AttemptId settled);

}  // namespace smsrack::db
