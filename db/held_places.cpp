#include "db/held_places.hpp"

#include "db/inbound_columns.hpp"

#include <algorithm>

namespace smsrack::db {
namespace {

// Of one content: more than a SIM holds at once of the same alarm.
constexpr int kept_max = 64;

void add_rows(Rows& rows, KeptRows& out) {
    while (rows.next()) {
        std::int64_t id = 0;
        std::optional<std::int64_t> place;
        ports::KeptBefore kept;
        rows.read(id, place, kept.received_at, kept.read_at);
        if (std::ranges::find(out.ids, id) == out.ids.end()) {
            kept.held_at = place_of(place);
            out.ids.push_back(id);
            out.before.push_back(kept);
        }
    }
}

void forget_held(Connection& db, SimId sim, HeldPlace place) {
    const auto held_at = stored(std::optional(place));
    db.run("UPDATE inbound_segments SET place = NULL WHERE sim = ? AND place = ?", sim, held_at);
    db.run("UPDATE reports SET place = NULL WHERE sim = ? AND place = ?", sim, held_at);
}

}  // namespace

KeptRows kept_segments(Connection& db, const InboundSegment& arrived) {
    KeptRows kept;
    if (arrived.held_at) {
        Rows rows = db.query(
            "SELECT id, place, received_at, coalesce(read_at, received_at) FROM inbound_segments "
            "INDEXED BY inbound_segments_place WHERE sim = ? AND place = ? AND fingerprint = ? "
            "ORDER BY id DESC",
            arrived.sim, stored(arrived.held_at), arrived.fingerprint);
        add_rows(rows, kept);
    }
    Rows rows = db.query(
        "SELECT id, place, received_at, coalesce(read_at, received_at) FROM inbound_segments "
        "WHERE fingerprint = ? ORDER BY id DESC LIMIT ?",
        arrived.fingerprint, kept_max);
    add_rows(rows, kept);
    return kept;
}

KeptRows kept_reports(Connection& db, const StatusReport& arrived) {
    KeptRows kept;
    if (arrived.held_at) {
        Rows rows = db.query(
            "SELECT id, place, received_at, coalesce(read_at, received_at) FROM reports "
            "INDEXED BY reports_place WHERE sim = ? AND place = ? AND fingerprint = ? "
            "ORDER BY id DESC",
            arrived.sim, stored(arrived.held_at), arrived.fingerprint);
        add_rows(rows, kept);
    }
    Rows rows = db.query(
        "SELECT id, place, received_at, coalesce(read_at, received_at) FROM reports "
        "WHERE fingerprint = ? ORDER BY id DESC LIMIT ?",
        arrived.fingerprint, kept_max);
    add_rows(rows, kept);
    return kept;
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
    std::vector<HeldPlace> claimed;
    {
        Rows rows = writer.db.query(
            "SELECT place FROM inbound_segments WHERE sim = ? AND place >= ? AND place < ? "
            "UNION SELECT place FROM reports WHERE sim = ? AND place >= ? AND place < ?",
            sim, first, first + places_of_memory, sim, first, first + places_of_memory);
        while (rows.next()) {
            claimed.push_back(place_of(rows.value<std::int64_t>()).value_or(HeldPlace{}));
        }
    }
    for (const HeldPlace place : claimed) {
        if (std::ranges::find(indexes, place.index) == indexes.end()) {
            forget_held(writer.db, sim, place);
        }
    }
}

}  // namespace smsrack::db
