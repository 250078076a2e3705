/// Notes of attempts that went wrong, for people.
///
/// Bound:   ports::notes_max for each attempt, ports::note_octets_max each.
/// Threads: keeping and removing on the writing thread, reading by any.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/base/ids.hpp"
#include "src/ports/notes.hpp"
#include "src/ports/send_commands.hpp"

#include <vector>

namespace smsrack::db {

/// Nothing where the attempt is gone, or has its notes.
void apply(Writer& writer, const ports::NoteAttempt& command);
void keep_note(Connection& db, AttemptId attempt, const ports::AttemptNote& note);

/// Oldest first.
[[nodiscard]] std::vector<ports::AttemptNote> read_notes(Connection& db, AttemptId attempt);

void remove_notes(Connection& db, AttemptId attempt);

}  // namespace smsrack::db
