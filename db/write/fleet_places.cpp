#include "db/write/fleet_places.hpp"

#include <tuple>

namespace smsrack::db {

bool apply_event(FleetPlace& place, FleetEvent event) {
    const auto to = next(fleet_rules, place.stage, event);
    if (to) {
        place.stage = *to;
    }
    return to.has_value();
}

void insert_place(Connection& db, MessageId row, const FleetPlace& place) {
    db.run(
        "INSERT INTO fleet_messages (id, origin, stage, kept, epoch, box) VALUES (?, nullif(?, 0), "
        "?, ?, ?, ?)",
        row, place.origin, place.stage, place.kept, place.epoch, place.box);
}

void save_place(Connection& db, MessageId row, const FleetPlace& place) {
    db.run("UPDATE fleet_messages SET stage = ?, kept = ?, epoch = ?, box = ? WHERE id = ?",
           place.stage, place.kept, place.epoch, place.box, row);
}

void remove_place(Connection& db, MessageId row) {
    db.run("DELETE FROM fleet_messages WHERE id = ?", row);
}

std::optional<FleetPlace> load_place(Connection& db, MessageId row) {
    FleetPlace place;
    const bool found = db.first(
        std::tie(place.origin, place.stage, place.kept, place.epoch, place.box),
        "SELECT coalesce(origin, 0), stage, kept, epoch, box FROM fleet_messages WHERE id = ?",
        row);
    return found ? std::optional(place) : std::nullopt;
}

std::optional<ports::FleetStanding> read_standing(Connection& db, MessageId row) {
    const auto place = load_place(db, row);
    if (!place) {
        return std::nullopt;
    }
    return ports::FleetStanding{
        .stage = place->stage, .kept = place->kept, .epoch = place->epoch, .box = place->box};
}

void note_end_here(Connection& db, MessageId row) {
    if (auto place = load_place(db, row); place && apply_event(*place, FleetEvent::ended)) {
        save_place(db, row, *place);
    }
}

MessageId row_of(Connection& db, MessageId id) {
    const auto own = db.scalar<MessageId>("SELECT id FROM messages WHERE id = ?", {}, id);
    return own != MessageId{}
               ? own
               : db.scalar<MessageId>("SELECT id FROM fleet_messages WHERE origin = ?", {}, id);
}

MessageId origin_of(Connection& db, MessageId row) {
    return db.scalar<MessageId>("SELECT origin FROM fleet_messages WHERE id = ?", {}, row);
}

MessageId shown_id(Connection& db, MessageId row) {
    const MessageId origin = origin_of(db, row);
    return origin == MessageId{} ? row : origin;
}

}  // namespace smsrack::db
