/// Pauses of the rack, of groups and of batches.
///
/// Threads: those of the connection; writes on the writing thread.
/// Errors:  conflict: the batch was cancelled; StorageFailure (inside db).
#pragma once

#include "db/writer.hpp"
#include "src/ports/pause.hpp"

#include <optional>
#include <string>
#include <vector>

namespace smsrack::db {

struct PauseOrder {
    ports::PauseScope scope = ports::PauseScope::rack;
    std::string name = {};
    WallTime at = {};
};

/// The rack's, then groups, then batches.
/// A cancelled batch is one as long as a message of it may still come back unsent.
[[nodiscard]] std::vector<ports::Pause> read_pauses(Connection& db);

/// False: it was so already.
[[nodiscard]] Result<bool> begin_pause(Writer& writer, const PauseOrder& order);
/// What waited between two attempts is due.
[[nodiscard]] Result<bool> end_pause(Writer& writer, const PauseOrder& order);

/// Gives a message between two attempts back: due at `until`, or for as long as it is paused not by time.
[[nodiscard]] Result<std::optional<WallTime>> put_off(Writer& writer, MessageId message,
                                                      WallTime until, WallTime at);

}  // namespace smsrack::db
