/// What a line knows and holds, as one process, or one configuration, leaves it to the next.
///
/// In addition to what its modem carries: who sits in the slot, and the segment whose PDU has left.
/// Time:    steady times are of the machine, so they hold in another process of the same boot.
#pragma once

#include "src/base/members.hpp"
#include "src/line/line_board.hpp"
#include "src/line/slot_seat.hpp"
#include "src/queue/out_slot.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::line {

/// An attempt whose outcome is unknown, and whose answer may still come.
struct GivenUp {
    AttemptId attempt = {};
    MessageId message = {};
    std::uint8_t segment = 0;
    WallTime begun_at = {};
    SMSRACK_MEMBERS(attempt, message, segment, begun_at);
};

/// A segment whose PDU has left and that the network has not answered.
struct SegmentCarried {
    queue::OutSlot content = {};  ///< its group is the line's
    std::uint8_t segment = 0;
    AttemptId attempt = {};  ///< on disk
    SteadyTime begun = {};
    WallTime begun_at = {};
    SMSRACK_MEMBERS(content, segment, attempt, begun, begun_at);
};

struct LineCarried {
    SlotSeat::Occupant seat = {};  ///< its SIM is 0: the store is still to be asked
    std::optional<SegmentCarried> in_hand = {};
    std::optional<GivenUp> given_up = {};
    SteadyTime rests_until = {};
    bool sim_nearly_full = false;
    LineCounts counts = {};
    SMSRACK_MEMBERS_NAMED(
        "imei, iccid, imsi, sim, in_hand, given_up, rests_until, sim_nearly_full, counts",
        seat.imei, seat.iccid, seat.imsi, seat.sim, in_hand, given_up, rests_until, sim_nearly_full,
        counts);
};

}  // namespace smsrack::line
