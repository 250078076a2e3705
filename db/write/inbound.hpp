/// Received segments: each kept once, joined into an inbox row when their message is whole.
///
/// Whether one was kept before, and which message a part belongs to, is decided by StoreRules.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/receive_commands.hpp"

#include <cstddef>

namespace smsrack::db {

[[nodiscard]] InboundKept apply(Writer& writer, const ports::KeepInbound& command);

[[nodiscard]] std::size_t apply(Writer& writer, const ports::ReleaseIncomplete& command);

}  // namespace smsrack::db
