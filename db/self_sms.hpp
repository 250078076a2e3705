/// Self-SMS that come back, and those that do not.
///
/// Time:    from acceptance to the arrival at the other SIM, by our clock.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/writer.hpp"
#include "src/sms/inbound.hpp"
#include "src/sms/self_sms.hpp"

#include <chrono>
#include <optional>

namespace smsrack::db {

struct SelfSmsArrival {
    bool again = false;  ///< it had come before
    std::chrono::milliseconds took{0};
};

/// Nothing: the segment is no self-SMS of this store. Else its message is `delivered`, as far as its answer is known.
[[nodiscard]] std::optional<SelfSmsArrival> arrived_self_sms(Writer& writer,
                                                             const InboundSegment& segment);

/// It had arrived before the modem's answer was known: what arrived_self_sms() left to do.
void settle_self_sms(Writer& writer, MessageId message);

/// Those that the network took, or may have taken, and whose time was over before `overdue`, are `undelivered` now.
void lose_self_sms(Writer& writer, WallTime overdue, WallTime at);

}  // namespace smsrack::db
