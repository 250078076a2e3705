#include "db/write/fleet_rebuild.hpp"

#include "db/write/fleet_places.hpp"

namespace smsrack::db {
namespace {

struct Looked {
    MessageId row = {};
    FleetPlace place = {};
    WallTime expires_at = {};
};

void unkeep(Connection& db, MessageId row, FleetPlace place) {
    if (place.kept != Kept::here) {
        place.kept = Kept::here;
        save_place(db, row, place);
    }
}

}  // namespace

void apply(Writer& writer, const ports::KeepEngine& command) {
    writer.db.run("DELETE FROM fleet_engine");
    writer.db.run("INSERT INTO fleet_engine (name, life, beats) VALUES (?, ?, ?)",
                  command.memory.engine.name, command.memory.engine.life, command.memory.beats);
}

ports::PutAgain::Page apply(Writer& writer, const ports::PutAgain& command) {
    const auto read = [](const Rows& columns) {
        Looked one;
        columns.read(one.row, one.place.origin, one.place.stage, one.place.kept, one.place.epoch,
                     one.place.box, one.expires_at);
        return one;
    };
    const auto looked = writer.db.all(
        read,
        "SELECT f.id, coalesce(f.origin, 0), f.stage, f.kept, f.epoch, f.box, m.expires_at FROM "
        "fleet_messages f JOIN messages m ON m.id = f.id WHERE f.id > ? ORDER BY f.id LIMIT ?",
        command.after, command.limit);
    ports::PutAgain::Page page;
    for (const Looked& one : looked) {
        if (one.place.stage != FleetStage::settled) {
            unkeep(writer.db, one.row, one.place);
            continue;
        }
        const bool is_own = one.place.origin == MessageId{};
        page.settled.push_back(is_own ? one.row : one.place.origin);
        if (is_own && one.expires_at <= command.now) {
            page.expired.push_back(one.row);
        }
    }
    if (looked.size() == command.limit) {
        page.last = looked.back().row;
    }
    return page;
}

void apply(Writer& writer, const ports::PutEndsAgain& command) {
    for (const MessageId id : command.messages) {
        const MessageId row = row_of(writer.db, id);
        auto place = load_place(writer.db, row);
        if (place && apply_event(*place, FleetEvent::ended)) {
            place->kept = Kept::here;
            save_place(writer.db, row, *place);
        }
    }
}

}  // namespace smsrack::db
