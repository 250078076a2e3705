/// Which modem and which SIM each slot of the rack had last.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/sim_commands.hpp"

#include <span>
#include <string>

namespace smsrack::db {

/// What was known before; what is seen now is kept in its place.
[[nodiscard]] ports::SlotKnown apply(Writer& writer, const ports::PairSlot& command);
[[nodiscard]] SimId apply(Writer& writer, const ports::IdentifySim& command);

/// What slots of other names had means nothing any more. None named: all stay.
void forget_other_slots(Connection& db, std::span<const std::string> names);

}  // namespace smsrack::db
