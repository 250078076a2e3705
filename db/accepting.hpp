/// Accepting a message: one row, which is its `queued` event too.
///
/// Threads: the writing thread.
/// Errors:  ref_conflict, forbidden (a rule, named in `context`), conflict (its batch was cancelled),
/// duplicate, queue_full (capacity); StorageFailure (inside db).
#pragma once

#include "db/writer.hpp"
#include "src/ports/store.hpp"

namespace smsrack::db {

/// In this order: a ref known already, a rule that refuses it, the duplicate window, the capacity.
[[nodiscard]] Result<ports::Accepted> accept_message(Writer& writer, const NewMessage& message);

}  // namespace smsrack::db
