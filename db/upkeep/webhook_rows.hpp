/// Removes what webhooks need no more, in small steps.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/clock.hpp"
#include "src/ports/webhook_store.hpp"

#include <cstddef>
#include <set>

namespace smsrack::db {

/// Rows that ended more than their webhook's keep_days ago, and all rows of webhooks that no
/// configuration has named for that long; never those of `named`, which this process works for.
/// Gives how many.
std::size_t remove_deliveries(Connection& db, const std::set<ports::WebhookId>& named, WallTime now,
                              std::size_t limit);

/// Takes the bodies, which have numbers and texts, out of dead rows of events from before `before`.
/// Gives how many.
std::size_t strip_deliveries(Connection& db, WallTime before, std::size_t limit);

/// Takes what receivers answered out of attempts from before `before`: an answer may repeat what was
/// sent. Gives how many.
std::size_t strip_answers(Connection& db, WallTime before, std::size_t limit);

}  // namespace smsrack::db
