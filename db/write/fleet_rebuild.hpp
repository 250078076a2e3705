/// What a box needs to put back into an engine that was restored, or is new.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/fleet_store.hpp"

namespace smsrack::db {

void apply(Writer& writer, const ports::KeepEngine& command);
[[nodiscard]] ports::PutAgain::Page apply(Writer& writer, const ports::PutAgain& command);
void apply(Writer& writer, const ports::PutEndsAgain& command);

}  // namespace smsrack::db
