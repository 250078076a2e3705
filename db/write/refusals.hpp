/// The rows of what the operator's rules refused.
///
/// Threads: those of the connection; writes on the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/refusals.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace smsrack::db {

void apply(Writer& writer, const ports::NoteRefusals& command);

/// Of the messages of this client, newest day first.
[[nodiscard]] std::vector<ports::RefusalCount> list_refusals(Connection& db,
                                                             const std::string& client,
                                                             std::size_t limit);

/// Of the messages of each named client.
[[nodiscard]] std::map<std::string, std::int64_t> sum_refusals(Connection& db);

/// Removes up to `limit` rows of days before that of `before`. Returns how many.
std::size_t remove_refusals(Connection& db, WallTime before, std::size_t limit);

}  // namespace smsrack::db
