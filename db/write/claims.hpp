/// Pairs of number and topic: claimed in the transaction that makes their message, and kept up with what becomes of it.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "db/read/message_record.hpp"
#include "src/base/clock_move.hpp"
#include "src/ports/trigger_store.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smsrack::db {

/// As date_anew of a message, with what the pair is held against.
void date_anew(ports::ClaimPairs& command, std::span<const ClockMove> moves);

[[nodiscard]] std::vector<ports::TopicId> apply(Writer& writer, const ports::NumberTopics& command);

/// May put off and relabel the messages of the claims.
[[nodiscard]] std::vector<Result<ports::Claimed>> apply(Writer& writer, ports::ClaimPairs& command);

/// The message, made for a pair, goes over into `to`; before its record says so.
void follow_message(Connection& db, const MessageRecord& message, MessageState to);

/// When the last of a trigger's messages that was not cancelled is due.
[[nodiscard]] std::optional<WallTime> last_due(Writer& writer, const std::string& trigger);

/// How much of its minutes each trigger has used, after a correction of the clock: once its walk is open.
void move_minutes(Writer& writer, const ClockMove& move);

void apply(Writer& writer, const ports::NoteDays& command);

[[nodiscard]] std::size_t apply(Writer& writer, const ports::ForgetPairs& command);

}  // namespace smsrack::db
