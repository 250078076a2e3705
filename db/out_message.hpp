/// A message as the dispatcher needs it, read from its rows.
///
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/connection.hpp"
#include "src/sms/message.hpp"

#include <optional>
#include <vector>

namespace smsrack::db {

/// Nothing: there is no such message.
[[nodiscard]] std::optional<OutMessage> load_out_message(Connection& db, MessageId id);

/// Queued ones of a group and level with an id above `after`, oldest first. They have no segment
/// rows yet.
[[nodiscard]] std::vector<OutMessage> load_queued(Connection& db, GroupId group, Level level,
                                                  MessageId after, std::size_t limit);

/// The body's columns, as both read them.
struct BodyColumns {
    std::string to = {};
    std::string body = {};
    std::uint8_t flags = 0;
    std::optional<std::uint8_t> message_class = {};
    std::optional<std::uint32_t> ports = {};
};

[[nodiscard]] MessageBody body_of(BodyColumns columns);

}  // namespace smsrack::db
