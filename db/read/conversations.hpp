/// Pages of conversations, and of one of them.
///
/// No step reads more rows than it gives, but for the newest messages that no run of the hash index
/// has yet (db/engine/hash_index).
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/store_reader.hpp"

#include <vector>

namespace smsrack::db {

/// Those with the newest messages first.
[[nodiscard]] ports::FoundConversations list_conversations(Connection& db,
                                                           const ports::ConversationPage& page);

/// Newest first, of this number.
[[nodiscard]] std::vector<ports::Said> list_said(Connection& db, const std::string& number,
                                                 const ports::ConversationPage& page);

}  // namespace smsrack::db
