#include "db/write/slots.hpp"

#include <algorithm>

namespace smsrack::db {
namespace {

ports::SlotKnown known_of(Connection& db, const ports::SlotSeen& seen) {
    ports::SlotKnown known;
    (void)db.first(std::tie(known.imei, known.card), "SELECT imei, card FROM slots WHERE name = ?",
                   std::string_view(seen.slot));
    known.card_was_in = db.scalar<std::string>(
        "SELECT name FROM slots WHERE card = ? AND name <> ? ORDER BY changed_at DESC LIMIT 1", {},
        std::string_view(seen.card), std::string_view(seen.slot));
    return known;
}

}  // namespace

ports::SlotKnown apply(Writer& writer, const ports::PairSlot& command) {
    const ports::SlotSeen& seen = command.seen;
    ports::SlotKnown known = known_of(writer.db, seen);
    const std::string& card = seen.keep_card && !known.card.empty() ? known.card : seen.card;
    if (known.imei != seen.imei || known.card != card) {
        writer.db.run(
            "INSERT OR REPLACE INTO slots (name, imei, card, changed_at) VALUES (?, ?, ?, ?)",
            std::string_view(seen.slot), std::string_view(seen.imei), std::string_view(card),
            seen.at);
    }
    return known;
}

SimId apply(Writer& writer, const ports::IdentifySim& command) {
    return writer.names.sim(command.iccid, command.imsi);
}

void forget_other_slots(Connection& db, std::span<const std::string> names) {
    if (names.empty()) {
        return;
    }
    for (const std::string& name : db.column<std::string>("SELECT name FROM slots")) {
        if (std::ranges::find(names, name) == names.end()) {
            db.run("DELETE FROM slots WHERE name = ?", std::string_view(name));
        }
    }
}

}  // namespace smsrack::db
