#include "db/write/fleet_sims.hpp"

#include "db/read/recipient_sims.hpp"

namespace smsrack::db {

void apply(Writer& writer, const ports::KeepSimShare& command) {
    if (command.form.empty()) {
        writer.db.run("DELETE FROM fleet_sims WHERE iccid = ?", command.iccid);
    } else {
        writer.db.run("INSERT OR REPLACE INTO fleet_sims (iccid, form) VALUES (?, ?)",
                      command.iccid, command.form);
    }
}

void apply(Writer& writer, const ports::NoteKnownSims& command) {
    for (const ports::NoteKnownSims::Known& known : command.known) {
        const auto sim =
            writer.db.scalar<SimId>("SELECT id FROM sims WHERE iccid = ?", {}, known.iccid);
        if (sim != SimId{}) {
            note_recipient_sim(writer.db, known.to, sim, command.at);
        }
    }
}

}  // namespace smsrack::db
