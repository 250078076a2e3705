/// The commands of ports::FleetStore.
///
/// Threads: the writing thread.
/// Errors:  as the commands; StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/fleet_store.hpp"

#include <vector>

namespace smsrack::db {

// Where messages are: fleet_moves.cpp
[[nodiscard]] std::vector<MessageId> apply(Writer& writer, const ports::NoteShared& command);
[[nodiscard]] std::vector<MessageId> apply(Writer& writer, const ports::MakeFirm& command);
[[nodiscard]] std::vector<MessageId> apply(Writer& writer, const ports::Lend& command);
void apply(Writer& writer, const ports::NoteSettled& command);

// Rows of other boxes' messages: fleet_guests.cpp
[[nodiscard]] std::vector<FleetStage> apply(Writer& writer, const ports::TakeIn& command);
[[nodiscard]] std::size_t apply(Writer& writer, const ports::LetGo& command);

// What another box reports: fleet_ends.cpp
[[nodiscard]] Result<MessageState> apply(Writer& writer, const ports::EndElsewhere& command);

}  // namespace smsrack::db
