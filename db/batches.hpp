/// Batches: their counts by state, and taking one back in small steps.
///
/// Threads: those of the connection; writes on the writing thread.
/// Errors:  not_found; StorageFailure (inside db).
#pragma once

#include "db/writer.hpp"
#include "src/ports/store_reader.hpp"

#include <optional>
#include <string>
#include <vector>

namespace smsrack::db {

[[nodiscard]] std::vector<ports::BatchRow> list_batches(Connection& db, BatchId before,
                                                        std::size_t limit);
/// Nothing: there is none of this name.
[[nodiscard]] std::optional<ports::BatchRow> read_batch(Connection& db, const std::string& name);

[[nodiscard]] bool is_cancelled_batch(Connection& db, const std::string& name);
[[nodiscard]] bool is_cancelled_batch(Connection& db, BatchId id);

/// From now on it takes no more messages, and cancel_some() finds it. Again: no more.
[[nodiscard]] Result<ports::BatchRow> cancel_batch(Writer& writer, const std::string& name,
                                                   WallTime at);

/// Looks at up to `limit` messages of one such batch. Gives whether there are more.
[[nodiscard]] Result<bool> cancel_some(Writer& writer, WallTime at, std::size_t limit);

/// Up to `limit` that have no message any more and were made before.
void remove_empty_batches(Writer& writer, WallTime before, std::size_t limit);

}  // namespace smsrack::db
