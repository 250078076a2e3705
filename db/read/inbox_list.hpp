/// Pages of received messages, and the row of one.
///
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/store_reader.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::db {

/// Oldest first.
[[nodiscard]] std::vector<ports::InboxRow> list_inbox(Connection& db,
                                                      const ports::InboxFilter& filter);

/// The same of a search, which looks at search_rows_max rows at most.
[[nodiscard]] ports::FoundInbox find_in_inbox(Connection& db, const ports::InboxFilter& filter,
                                              const ports::Wanted& wanted);

/// From this number alone, newest first, with ids below `before`.
[[nodiscard]] std::vector<ports::InboxRow> list_inbox_of(Connection& db, const std::string& number,
                                                         InboxId before, std::size_t limit);

/// nullopt if there is no such message.
[[nodiscard]] std::optional<ports::InboxRow> read_inbox_row(Connection& db, InboxId id);

}  // namespace smsrack::db
