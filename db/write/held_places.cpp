#include "db/write/held_places.hpp"

#include "db/write/inbound_columns.hpp"

#include <algorithm>

namespace smsrack::db {
namespace {

// Of one content: more than a SIM holds at once of the same alarm.
constexpr int kept_max = 64;

/// Those that `at_place` finds at the same place of the SIM, then those that `alike` finds anywhere.
template <typename Arrived>
KeptRows kept_rows(Connection& db, const Arrived& arrived, Sql at_place, Sql alike) {
    KeptRows kept;
    const auto add = [&kept](Rows rows) {
        while (rows.next()) {
            std::int64_t id = 0;
            std::optional<std::int64_t> place;
            ports::KeptBefore before;
            rows.read(id, place, before.received_at, before.read_at);
            if (std::ranges::find(kept.ids, id) == kept.ids.end()) {
                before.held_at = place_of(place);
                kept.ids.push_back(id);
                kept.before.push_back(before);
            }
        }
    };
    if (arrived.held_at) {
        add(db.query(at_place, arrived.sim, stored(arrived.held_at), arrived.fingerprint));
    }
    add(db.query(alike, arrived.fingerprint, kept_max));
    return kept;
}

void forget_held(Connection& db, SimId sim, HeldPlace place) {
    const auto held_at = stored(std::optional(place));
    db.run("UPDATE inbound_segments SET place = NULL WHERE sim = ? AND place = ?", sim, held_at);
    db.run("UPDATE reports SET place = NULL WHERE sim = ? AND place = ?", sim, held_at);
}

}  // namespace

KeptRows kept_segments(Connection& db, const InboundSegment& arrived) {
    return kept_rows(db, arrived,
                     "SELECT id, place, received_at, coalesce(read_at, received_at) FROM "
                     "inbound_segments INDEXED BY inbound_segments_place WHERE sim = ? AND place = "
                     "? AND fingerprint = ? ORDER BY id DESC",
                     "SELECT id, place, received_at, coalesce(read_at, received_at) FROM "
                     "inbound_segments WHERE fingerprint = ? ORDER BY id DESC LIMIT ?");
}

KeptRows kept_reports(Connection& db, const StatusReport& arrived) {
    return kept_rows(
        db, arrived,
        "SELECT id, place, received_at, coalesce(read_at, received_at) FROM reports INDEXED BY "
        "reports_place WHERE sim = ? AND place = ? AND fingerprint = ? ORDER BY id DESC",
        "SELECT id, place, received_at, coalesce(read_at, received_at) FROM reports WHERE "
        "fingerprint = ? ORDER BY id DESC LIMIT ?");
}

InboxId hold_segment_again(Connection& db, std::int64_t id, const InboundSegment& arrived) {
    clear_place(db, arrived.sim, arrived.held_at);
    db.run("UPDATE inbound_segments SET place = ?, read_at = ? WHERE id = ?",
           stored(arrived.held_at), arrived.received_at, id);
    return db.scalar<InboxId>("SELECT inbox FROM inbound_segments WHERE id = ?", {}, id);
}

void hold_report_again(Connection& db, std::int64_t id, const StatusReport& arrived) {
    clear_place(db, arrived.sim, arrived.held_at);
    db.run("UPDATE reports SET place = ?, read_at = ? WHERE id = ?", stored(arrived.held_at),
           arrived.received_at, id);
}

void clear_place(Connection& db, SimId sim, const std::optional<HeldPlace>& place) {
    if (place && place->memory != HeldIn::direct) {
        forget_held(db, sim, *place);
    }
}

void apply(Writer& writer, const ports::ForgetHeld& command) {
    forget_held(writer.db, command.sim, command.place);
}

void apply(Writer& writer, const ports::ForgetHeldElsewhere& command) {
    const auto& [sim, memory, indexes] = command;
    const auto first = static_cast<std::int64_t>(memory) * places_of_memory;
    for (const auto claimed : writer.db.column<std::int64_t>(
             "SELECT place FROM inbound_segments WHERE sim = ? AND place >= ? AND place < ? UNION "
             "SELECT place FROM reports WHERE sim = ? AND place >= ? AND place < ?",
             sim, first, first + places_of_memory, sim, first, first + places_of_memory)) {
        const HeldPlace place = place_of(claimed).value_or(HeldPlace{});
        if (std::ranges::find(indexes, place.index) == indexes.end()) {
            forget_held(writer.db, sim, place);
        }
    }
}

}  // namespace smsrack::db
