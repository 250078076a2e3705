/// Accepting a message: one row, which is its `queued` event too.
///
/// Threads: the writing thread.
/// Errors:  ref_conflict, duplicate, queue_full (capacity); StorageFailure (inside db).
#pragma once

#include "db/writer.hpp"
#include "src/ports/store.hpp"

namespace smsrack::db {

/// In this order: a ref known already, the duplicate window, the capacity.
[[nodiscard]] Result<ports::Accepted> accept_message(Writer& writer, const NewMessage& message);

}  // namespace smsrack::db
