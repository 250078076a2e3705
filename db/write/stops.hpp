/// Decides whether a received STOP counts, and records the decision.
///
/// A STOP counts if the group of the receiving line has written to its sender recently (ports::OptOutRules). Otherwise an
/// attacker could forge a number and silence its messages. Either way the store writes an event; it also adds it to the history
/// of the newest message that was sent to that number.
/// Threads: the writing thread, within the transaction that keeps the message.
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/inbound.hpp"

#include <string_view>

namespace smsrack::db {

/// Does what a received text wishes: a STOP or a START, in the same transaction as the text, so that
/// nothing is sent once that is kept. `row`: when it came, and where it is kept.
[[nodiscard]] StopHeard heed_wish(Writer& writer, const InboundSegment& first,
                                  std::string_view text, ports::OptOutRow row);

}  // namespace smsrack::db
