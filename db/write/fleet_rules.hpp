/// Rules that the boxes of a fleet share: those that were changed here wait until the engine has them, and those of
/// others are obeyed.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/fleet_store.hpp"

namespace smsrack::db {

/// The engine shall have it. Without a fleet: does nothing.
void tell_fleet(Writer& writer, ports::OperatorRule rule);

void apply(Writer& writer, const ports::ShareRules& command);
void apply(Writer& writer, const ports::NoteRulesKept& command);
void apply(Writer& writer, const ports::ObeyRules& command);

}  // namespace smsrack::db
