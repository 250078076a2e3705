/// Attempts: committed before a PDU leaves, ended when its outcome is known or given up.
///
/// Threads: the writing thread.
/// Errors:  conflict, not_found, quota_exhausted; StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/send_commands.hpp"

namespace smsrack::db {

[[nodiscard]] Result<AttemptId> apply(Writer& writer, const ports::BeginAttempt& start);

[[nodiscard]] Result<ports::AttemptApplied> apply(Writer& writer, const ports::EndAttempt& end);

}  // namespace smsrack::db
