/// Received segments: each kept once, joined into an inbox row when their message is whole.
///
/// Whether one was kept before, and which message a part belongs to, is decided by StoreRules.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/writer.hpp"
#include "src/ports/store.hpp"

#include <cstddef>

namespace smsrack::db {

[[nodiscard]] Result<InboundKept> keep_inbound(Writer& writer, const InboundSegment& segment);

/// Makes inbox rows, flagged incomplete, of messages whose last segment came before `before`.
[[nodiscard]] Result<std::size_t> release_incomplete(Writer& writer, WallTime before,
                                                     std::size_t limit);

}  // namespace smsrack::db
