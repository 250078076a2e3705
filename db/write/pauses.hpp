/// Pauses of the rack, of groups and of batches.
///
/// Threads: those of the connection; writes on the writing thread.
/// Errors:  conflict: the batch was cancelled; StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/control_store.hpp"
#include "src/ports/pause.hpp"

#include <optional>
#include <vector>

namespace smsrack::db {

/// The rack's, then groups, then batches.
/// A cancelled batch is one as long as a message of it may still come back unsent.
[[nodiscard]] std::vector<ports::Pause> read_pauses(Connection& db);

[[nodiscard]] Result<bool> apply(Writer& writer, const ports::SetPause& order);
/// As ports::SetPause, by the word of another box.
[[nodiscard]] Result<bool> change_pause(Writer& writer, const ports::SetPause& order);

[[nodiscard]] std::optional<WallTime> apply(Writer& writer, const ports::PutOff& command);

}  // namespace smsrack::db
