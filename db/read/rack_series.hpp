/// Reads the history of the rack as series of equal steps.
///
/// Threads: that of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/rack_history.hpp"

#include <vector>

namespace smsrack::db {

/// As RackReader::history(). One statement, so that hours becoming rows meanwhile are read once.
[[nodiscard]] std::vector<ports::HistorySeries> read_history(
    Connection& db, const ports::HistoryQuestion& question);

}  // namespace smsrack::db
