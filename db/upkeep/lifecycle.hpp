/// Messages without an attempt in flight: ended, begun again, taken when due, expired.
///
/// Threads: the writing thread.
/// Errors:  conflict, not_found; StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/send_commands.hpp"
#include "src/ports/upkeep_commands.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace smsrack::db {

/// Who ends a message.
enum class By : std::uint8_t {
    other,
    holder,  ///< the one that has it in flight: no cancel comes too late
};

[[nodiscard]] Result<MessageState> finish_message(Writer& writer, const ports::FinishMessage& end,
                                                  By by = By::other);
[[nodiscard]] Result<MessageState> apply(Writer& writer, const ports::FinishMessage& command);
[[nodiscard]] Result<MessageState> apply(Writer& writer, const ports::CancelMessage& command);

[[nodiscard]] Result<> apply(Writer& writer, const ports::ResendSegment& again);

/// Nothing where it is on a line, waits for a time already, or has nothing left to send.
void apply(Writer& writer, const ports::PutBack& command);

[[nodiscard]] Result<> apply(Writer& writer, const ports::RestartMessage& restart);

/// Between two attempts, due, of one group and level.
inline constexpr Sql due_retries_sql =
    "SELECT id FROM messages INDEXED BY messages_retried WHERE state = 2 AND due_at IS NOT NULL "
    "AND grp = ? AND level = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?";

[[nodiscard]] std::vector<OutMessage> apply(Writer& writer, const ports::TakeDue& command);

[[nodiscard]] std::size_t apply(Writer& writer, const ports::MoveTimes& command);

[[nodiscard]] std::size_t apply(Writer& writer, const ports::ExpireOverdue& command);

}  // namespace smsrack::db
