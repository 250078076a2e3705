/// A received message that says STOP: whether it counts, and what is told of it.
///
/// It counts if the group of the line that it came to has written to its sender recently (ports::OptOutRules): else its number
/// may be forged to silence messages to somebody else. Either way it is an event, and in the history of the newest message to that
/// number that has left the rack.
/// Threads: the writing thread, within the transaction that keeps the message.
#pragma once

#include "db/writer.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/inbound.hpp"

namespace smsrack::db {

/// `row`: what goes onto the list where it counts.
[[nodiscard]] StopHeard hear_stop(Writer& writer, const InboundSegment& stop,
                                  const ports::OptOutRow& row);

}  // namespace smsrack::db
