/// Self-SMS that come back, and those that do not.
///
/// Time:    from acceptance to the arrival at the other SIM, by our clock.
/// Threads: the writing thread; read_self_sms_sent(): any, with a connection of its own.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/rack_store.hpp"
#include "src/sms/inbound.hpp"
#include "src/sms/self_sms.hpp"

#include <chrono>
#include <optional>
#include <vector>

namespace smsrack::db {

struct SelfSmsArrival {
    bool again = false;  ///< it had come before
    std::chrono::milliseconds took{0};
};

/// nullopt if the segment is no self-SMS of this store. Else its message is `delivered`, as far as its answer is known.
[[nodiscard]] std::optional<SelfSmsArrival> arrived_self_sms(Writer& writer,
                                                             const InboundSegment& segment);

/// Where it had arrived before the modem's answer was known: what arrived_self_sms() left to do. The state that it is in now.
[[nodiscard]] MessageState settle_self_sms(Writer& writer, MessageId message);

/// Those that the network took, or may have taken, and whose time was over before `overdue`, are `undelivered` now.
void apply(Writer& writer, const ports::LoseSelfSms& command);

/// As ports::RackReader.
[[nodiscard]] std::vector<ports::SelfSmsSent> read_self_sms_sent(Connection& db);

}  // namespace smsrack::db
