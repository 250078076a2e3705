/// One message on its way out, from the send buffer queue to a line and back: the content of a
/// slot.
///
/// Threads: the holder of the slot's number: dispatch, one codec worker, or one line.
#pragma once

#include "src/base/members.hpp"
#include "src/queue/slot_pool.hpp"
#include "src/sms/message.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace smsrack::queue {

struct OutSlot {
    OutMessage message = {};
    /// One a segment, octets with the service centre field; empty before the codec.
    std::vector<std::string> pdus = {};
    WallTime encoded_at = {};        ///< TP-VP was true then
    std::uint16_t group = 0;         ///< index of the group in dispatch
    std::uint8_t first_segment = 0;  ///< the first that is still to be sent
    SMSRACK_MEMBERS(message, pdus, encoded_at, first_segment);
};

using OutSlots = SlotPool<OutSlot>;

}  // namespace smsrack::queue
