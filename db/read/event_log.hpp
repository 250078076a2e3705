/// The event log as it is read: rows of `events`, and each message's row as its own first event.
///
/// Threads: those of the connection.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/sms/event.hpp"

#include <cstddef>
#include <vector>

namespace smsrack::db {

/// Those with a seq above `after`, oldest first; not those of the rack's own messages.
[[nodiscard]] std::vector<Event> read_events(Connection& db, EventSeq after, std::size_t limit);

/// The same, of the messages of one client or one account alone, with the received messages of the
/// client's share.
[[nodiscard]] std::vector<Event> read_events_of(Connection& db, const EventScope& of,
                                                EventSeq after, std::size_t limit);

/// All of one message, oldest first.
[[nodiscard]] std::vector<Event> read_history(Connection& db, MessageId id);

/// The message has ended, or its wait for a report has.
[[nodiscard]] inline bool is_end(const Event& event) {
    return is_final(event.state) || event.detail == no_report_came;
}

/// Whether the event `last` of a message, or one before it, was an end. One that was removed for its
/// age is none.
[[nodiscard]] bool had_ended(Connection& db, EventSeq last);

}  // namespace smsrack::db
