/// Messages without an attempt in hand: ended, begun anew, taken when due, expired.
///
/// Threads: the writing thread.
/// Errors:  conflict, not_found; StorageFailure (inside db).
#pragma once

#include "db/writer.hpp"
#include "src/ports/store.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace smsrack::db {

struct MessageEnd {
    MessageId message;
    MessageEvent event = MessageEvent::cancel;
    std::string detail = {};
    WallTime at;
    bool by_holder = false;  ///< whoever has it in hand asks: no cancel comes too late
};

[[nodiscard]] Result<MessageState> finish_message(Writer& writer, const MessageEnd& end);

struct MessageResend {
    MessageId message;
    AttemptId doubt;
    WallTime at;
};

[[nodiscard]] Result<> resend_message(Writer& writer, const MessageResend& again);

/// Nothing where it is on a line, waits for a time already, or has nothing left to send.
void put_back_message(Writer& writer, MessageId id, WallTime at);

struct MessageRestart {
    MessageId message;
    std::string detail = {};
    WallTime due_at;
    WallTime at;
};

[[nodiscard]] Result<> restart_message(Writer& writer, const MessageRestart& restart);

/// Between two attempts, due, of one group and level.
inline constexpr Sql due_retries_sql =
    "SELECT id FROM messages INDEXED BY messages_retried WHERE state = 2 AND due_at IS NOT NULL "
    "AND grp = ? AND level = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?";

[[nodiscard]] Result<std::vector<OutMessage>> take_due(Writer& writer, WallTime now,
                                                       const ports::DueWishes& wishes);

[[nodiscard]] Result<std::size_t> move_times(Writer& writer, const ClockMove& move);

[[nodiscard]] Result<std::size_t> expire_overdue(Writer& writer, WallTime now, std::size_t limit);

}  // namespace smsrack::db
