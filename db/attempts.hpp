/// Attempts: committed before a PDU leaves, ended when its outcome is known or given up.
///
/// Threads: the writing thread.
/// Errors:  conflict, not_found, quota_exhausted; StorageFailure (inside db).
#pragma once

#include "db/writer.hpp"
#include "src/ports/store.hpp"

namespace smsrack::db {

[[nodiscard]] Result<AttemptId> begin_attempt(Writer& writer, const ports::AttemptStart& start);

[[nodiscard]] Result<ports::AttemptApplied> end_attempt(Writer& writer,
                                                        const ports::AttemptEnd& end);

}  // namespace smsrack::db
