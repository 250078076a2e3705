/// Which SIM sent the last message of a sticky route to a recipient: the next one goes by it too, over a restart as well.
///
/// Threads: those of the connection; writes on the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/ids.hpp"

#include <cstddef>
#include <string>

namespace smsrack::db {

/// 0: none was sent yet.
[[nodiscard]] SimId known_sim(Connection& db, const std::string& to);
/// It sent last to a recipient, at or after `since`.
[[nodiscard]] bool sim_is_known(Connection& db, SimId sim, WallTime since);
void note_recipient_sim(Connection& db, const std::string& to, SimId sim, WallTime at);
/// Up to `limit` of those to whom nothing went since `before`.
void remove_old_recipient_sims(Connection& db, WallTime before, std::size_t limit);

}  // namespace smsrack::db
