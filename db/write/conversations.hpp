/// The rows of conversations: one for each number in the inbox.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/sms/event.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace smsrack::db {

/// A message to this number was accepted: the newest of its conversation, if it has one.
void note_sent(Connection& db, std::string_view number, MessageId id);

/// A message of this number came in: begins its conversation, or is the newest of it.
void note_received(Writer& writer, std::string_view number, InboxId id);

/// Removes the conversation if no message of this number is in the inbox any more.
void forget_if_empty(Connection& db, std::string_view number);

/// Looks at `limit` conversations and removes the empty ones, which an older program has left.
class ConversationSweep {
public:
    void step(Connection& db, std::size_t limit);

private:
    std::string after_ = {};  // the last number that was looked at; empty: from the first
};

}  // namespace smsrack::db
