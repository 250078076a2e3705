/// Status reports that one box got and another one has the message of.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/fleet_store.hpp"

namespace smsrack::db {

[[nodiscard]] bool apply(Writer& writer, const ports::TakeReport& command);
void apply(Writer& writer, const ports::NoteStraysTold& command);

}  // namespace smsrack::db
