#include "db/write/attempt_notes.hpp"

#include <string_view>

namespace smsrack::db {

void apply(Writer& writer, const ports::NoteAttempt& command) {
    keep_note(writer.db, command.attempt, command.note);
}

void keep_note(Connection& db, AttemptId attempt, const ports::AttemptNote& note) {
    std::string_view text = note.text;
    if (text.size() > ports::note_octets_max) {
        text.remove_prefix(text.size() - ports::note_octets_max);
    }
    db.run(
        "INSERT INTO attempt_notes (attempt, at, kind, text) SELECT ?1, ?2, ?3, ?4 WHERE EXISTS "
        "(SELECT 1 FROM attempts WHERE id = ?1) AND (SELECT count(*) FROM attempt_notes WHERE "
        "attempt = ?1) < ?5",
        attempt, note.at, note.kind, text, ports::notes_max);
}

std::vector<ports::AttemptNote> read_notes(Connection& db, AttemptId attempt) {
    const auto read = [](const Rows& row) {
        ports::AttemptNote note;
        row.read(note.kind, note.at, note.text);
        return note;
    };
    return db.all(read, "SELECT kind, at, text FROM attempt_notes WHERE attempt = ? ORDER BY id",
                  attempt);
}

void remove_notes(Connection& db, AttemptId attempt) {
    db.run("DELETE FROM attempt_notes WHERE attempt = ?", attempt);
}

}  // namespace smsrack::db
