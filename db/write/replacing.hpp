/// Replacing the content of a message of which nothing was begun.
///
/// An event of the state that it has keeps what happened. For a queued message it is also its new
/// place in the queue, by which what was loaded before is known as outdated.
/// Threads: the writing thread.
/// Errors:  conflict, not_found; StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "db/read/message_record.hpp"
#include "src/ports/send_commands.hpp"

namespace smsrack::db {

[[nodiscard]] Result<ports::Accepted> apply(Writer& writer, const ports::ReplaceMessage& command);

/// The message got another content after it was loaded with this place in the queue; 0: the place
/// is not known.
[[nodiscard]] bool is_outdated(const MessageRecord& message, EventSeq queued_by);

}  // namespace smsrack::db
