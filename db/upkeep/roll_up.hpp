/// Makes the history of the rack coarser as it grows old: minutes become rows of their hours, and
/// old hours go.
///
/// In the transaction of its caller, so that a minute is in one of the two and never in both.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/clock.hpp"

#include <cstddef>

namespace smsrack::db {

/// Gives the number of rows, at most `limit`; it ends with the minute that reaches it. Fewer: done
/// for now.
[[nodiscard]] std::size_t roll_up_history(Connection& db, WallTime now, std::size_t limit);

/// Removes hours that ended before `before`; likewise.
[[nodiscard]] std::size_t remove_history(Connection& db, WallTime before, std::size_t limit);

}  // namespace smsrack::db
