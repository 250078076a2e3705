/// Moves the times of all messages after a correction of the clock, in steps between other work.
///
/// The correction and the place of the walk are rows, so that a kill loses neither: the next process
/// continues. Messages are walked from the newest to the oldest that waits, or whose pair may be
/// concerned, and each is moved once. What begins or stops waiting meanwhile is moved ahead. A command
/// that needs the times of one moves it ahead; what only reads adds the shift itself (WalkColumns).
/// While a walk is open no message expires, and none that was scheduled falls due.
/// Bound:   a step changes WalkOn::changed_max messages at most, and looks at looked_at_max.
/// Threads: the writing thread; is_walking() by any.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "db/engine/writer.hpp"
#include "src/base/clock.hpp"
#include "src/base/clock_move.hpp"
#include "src/base/ids.hpp"
#include "src/ports/command.hpp"

#include <cstddef>

namespace smsrack::db {

/// One step of the walk that is open. Answers whether there is more to do.
struct WalkOn {
    static constexpr ports::Lane lane = ports::Lane::upkeep;
    static constexpr ports::Refused refused = ports::Refused::insist;
    using Answer = bool;

    static constexpr std::size_t changed_max = 512;
    static constexpr std::size_t looked_at_max = 8'192;
};

[[nodiscard]] bool apply(Writer& writer, const WalkOn& command);

/// All messages that the store has now are still to be moved. A walk that is open already is made
/// to its end first.
void begin_walk(Writer& writer, const ClockMove& move);

[[nodiscard]] bool is_walking(Connection& db);

/// When this message was accepted, where its row says `created_at`: moved if the walk has still to
/// move it. Changes no row.
[[nodiscard]] WallTime true_date(Connection& db, MessageId message, WallTime created_at);

/// The times of this message and of its pair are right from here on.
void move_ahead(Connection& db, MessageId message);

}  // namespace smsrack::db
