/// What the fleet has told of SIMs.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/fleet_store.hpp"

namespace smsrack::db {

void apply(Writer& writer, const ports::KeepSimShare& command);
void apply(Writer& writer, const ports::NoteKnownSims& command);

}  // namespace smsrack::db
