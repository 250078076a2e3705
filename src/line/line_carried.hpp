/// What a line knows and holds, as one process, or one configuration, leaves it to the next.
///
/// Beside what its modem carries: who sits in the slot, and the segment whose PDU has left.
/// Time:    steady times are of the machine, so they hold in another process of the same boot.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/line/in_flight.hpp"
#include "src/line/line_counts.hpp"
#include "src/queue/out_slot.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace smsrack::line {

/// A segment that is in the network's hand: its message, the attempt on the disk, and since when.
struct SegmentCarried {
    queue::OutSlot content = {};  ///< its group is the line's
    std::uint8_t segment = 0;
    AttemptId attempt = {};
    SteadyTime begun = {};
    WallTime begun_at = {};
};

struct LineCarried {
    std::string imei = {};
    std::string iccid = {};
    std::string imsi = {};
    SimId sim = {};  ///< 0: the store is still to be asked
    std::optional<SegmentCarried> in_hand = {};
    std::optional<GivenUp> given_up = {};
    SteadyTime rests_until = {};
    bool sim_nearly_full = false;
    LineCounts counts = {};
};

}  // namespace smsrack::line
