/// Pages of messages, newest first, and the row of one.
///
/// A number or a ref is found by its hash where the message is older than those in the last runs. A
/// rare state has an index of its own; a frequent one is found by walking back from the newest.
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/store_reader.hpp"

#include <optional>
#include <vector>

namespace smsrack::db {

[[nodiscard]] std::vector<ports::MessageRow> list_messages(Connection& db,
                                                           const ports::MessageFilter& filter);

/// The same of a search, which looks at search_rows_max rows at most.
[[nodiscard]] ports::FoundMessages search_messages(Connection& db,
                                                   const ports::MessageFilter& filter,
                                                   const ports::Wanted& wanted);

/// nullopt if there is no such message.
[[nodiscard]] std::optional<ports::MessageRow> read_message(Connection& db, MessageId id);

}  // namespace smsrack::db
