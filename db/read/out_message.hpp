/// A message as the dispatcher needs it, read from its rows.
///
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/sms/message.hpp"

#include <optional>
#include <vector>

namespace smsrack::db {

/// nullopt if there is no such message.
[[nodiscard]] std::optional<OutMessage> load_out_message(Connection& db, MessageId id);

/// Of a group, level and batch (0: none), from a place in their order on: the index gives them in it.
inline constexpr Sql queued_sql =
    "SELECT id, level, grp, created_at, queued_at, max(id, last_event), expires_at, attempts, "
    "failures, concat_ref, sim, to_addr, body, flags, class, ports, batch, client, part_set, part, "
    "elements, coalesce(pid, 0), by_sim, topic, w.after, w.until, w.shift, w.life_least FROM "
    "messages "
    "INDEXED BY messages_queued LEFT JOIN clock_walk w ON id < w.next AND NOT EXISTS (SELECT 1 "
    "FROM clock_walk_ahead WHERE message = id) "
    "WHERE state = 1 AND grp = ? AND level = ? AND "
    "batch = ? AND max(id, last_event) > ? ORDER BY max(id, last_event) LIMIT ?";

/// Queued ones of a group and level with a `queued_by` above `after`, in that order, but for those
/// of paused or cancelled batches. They have no segment rows yet.
[[nodiscard]] std::vector<OutMessage> load_queued(Connection& db, GroupId group, Level level,
                                                  EventSeq after, std::size_t limit);

/// The body's columns, as both read them.
struct BodyColumns {
    std::string to = {};
    std::string body = {};
    std::uint8_t flags = 0;
    std::optional<std::uint8_t> message_class = {};
    std::optional<std::uint32_t> ports = {};
    std::optional<std::uint16_t> part = {};  ///< total * 256 + number
    std::string elements = {};
    std::uint8_t pid = 0;
};

[[nodiscard]] MessageBody body_of(BodyColumns columns);

}  // namespace smsrack::db
