/// Gives a database the number of its box.
///
/// Threads: those of the connection; before anything else writes.
/// Errors:  conflict: its ids are those of a box with a higher number, so new ones would come before
///          old ones. StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/box_ids.hpp"
#include "src/base/result.hpp"

namespace smsrack::db {

/// From now on ids are in the range of `box`, and programs that know no fleet may not use the
/// database. The same box again: nothing changes. Box 0: nothing changes either, so a box that has
/// left its fleet keeps its range.
[[nodiscard]] Result<> join_fleet(Connection& connection, BoxNumber box);

}  // namespace smsrack::db
