#include "db/slots.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace smsrack::db {
namespace {

ports::SlotKnown known_of(Connection& db, const ports::SlotSeen& seen) {
    ports::SlotKnown known;
    {
        Rows row =
            db.query("SELECT imei, card FROM slots WHERE name = ?", std::string_view(seen.slot));
        if (row.next()) {
            row.read(known.imei, known.card);
        }
    }
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
    std::vector<std::string> others;
    {
        Rows rows = db.query("SELECT name FROM slots");
        while (rows.next()) {
            auto name = rows.value<std::string>();
            if (std::ranges::find(names, name) == names.end()) {
                others.push_back(std::move(name));
            }
        }
    }
    for (const std::string& name : others) {
        db.run("DELETE FROM slots WHERE name = ?", std::string_view(name));
    }
}

}  // namespace smsrack::db
