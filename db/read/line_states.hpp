/// The states of one line, newest first, out of the event log.
///
/// The log has no index of lines: one is not worth its writes, so a page walks back through the rows of
/// all, ports::line_states_walk_max places at most.
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/rack_store.hpp"

namespace smsrack::db {

[[nodiscard]] ports::FoundLineStates read_line_states(Connection& db,
                                                      const ports::LineStatesFilter& filter);

}  // namespace smsrack::db
