/// Removes a message with all that is its own: attempts, events, segments, its place in the fleet.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/sms/event.hpp"
#include "src/sms/message.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace smsrack::db {

class WebhookLosses;

struct OldMessage {
    MessageId id = {};
    MessageState state{};
    WallTime created_at = {};
    WallTime updated_at = {};
    AttemptId attempt = {};  ///< the last one
    EventSeq event = {};     ///< likewise
    BatchId batch = {};
    ClientId client = {};
    std::uint8_t flags = 0;
    std::optional<PartSetId> part_set = {};
    bool is_to_settle = false;  ///< the engine of the fleet does not know its end yet
};

/// Gives the numbers of its events. The caller counts.
std::vector<EventSeq> remove_message(Connection& db, const OldMessage& message,
                                     WebhookLosses& losses);

}  // namespace smsrack::db
