/// Batches: their counts by state, and taking one back in small steps.
///
/// Threads: those of the connection; writes on the writing thread.
/// Errors:  not_found; StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/control_store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace smsrack::db {

[[nodiscard]] std::vector<ports::BatchRow> list_batches(Connection& db, BatchId before,
                                                        std::size_t limit);
/// nullopt if there is none of this name.
[[nodiscard]] std::optional<ports::BatchRow> read_batch(Connection& db, const std::string& name);

[[nodiscard]] bool is_cancelled_batch(Connection& db, const std::string& name);
[[nodiscard]] bool is_cancelled_batch(Connection& db, BatchId id);

[[nodiscard]] Result<ports::BatchRow> apply(Writer& writer, const ports::CancelBatch& command);
/// As ports::CancelBatch, by the word of another box.
[[nodiscard]] Result<ports::BatchRow> cancel_batch(Writer& writer,
                                                   const ports::CancelBatch& command);

[[nodiscard]] bool apply(Writer& writer, const ports::CancelSome& command);

/// Up to `limit` that have no message any more and were made before.
void remove_empty_batches(Writer& writer, WallTime before, std::size_t limit);

}  // namespace smsrack::db
