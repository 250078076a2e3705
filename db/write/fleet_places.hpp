/// The rows of fleet_messages: where this box knows a shared message to be.
///
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/box_ids.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/fleet_stage.hpp"

#include <optional>

namespace smsrack::db {

struct FleetPlace {
    MessageId origin = {};  ///< the fleet's id, of another box's message; 0: it is the row's number
    FleetStage stage = FleetStage::here;
    Kept kept = Kept::here;
    Epoch epoch = {};
    BoxNumber box = {};  ///< another one that has or had it; 0: none is known
};

/// Applies `event`; false: fleet_rules has no such row, nothing changed.
bool apply_event(FleetPlace& place, FleetEvent event);

/// The message was not in the fleet before.
void insert_place(Connection& db, MessageId row, const FleetPlace& place);
/// All but the origin, which never changes.
void save_place(Connection& db, MessageId row, const FleetPlace& place);
void remove_place(Connection& db, MessageId row);
/// nullopt: boxes do not share it.
[[nodiscard]] std::optional<FleetPlace> load_place(Connection& db, MessageId row);

/// For those who ask for the message; nullopt: boxes do not share it.
[[nodiscard]] std::optional<ports::FleetStanding> read_standing(Connection& db, MessageId row);

/// It came to this end here, or to another one than before: the engine does not know it yet.
void note_end_here(Connection& db, MessageId row);

/// This box's number of the message that has this id in the fleet, or here; 0: there is none.
[[nodiscard]] MessageId row_of(Connection& db, MessageId id);
/// Its id in the fleet, where another box accepted it; 0: this box did.
[[nodiscard]] MessageId origin_of(Connection& db, MessageId row);
/// The id that clients know it by.
[[nodiscard]] MessageId shown_id(Connection& db, MessageId row);

}  // namespace smsrack::db
