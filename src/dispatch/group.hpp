/// One group of lines: what waits for it, what is encoded for it, and which of its lines are free.
///
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/queue/send_buffer_queue.hpp"
#include "src/queue/send_queue.hpp"
#include "src/sms/level.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace smsrack::dispatch {

/// How far one level of a group was read from the store.
struct RefillState {
    EventSeq after = {};   ///< OutMessage::queued_by of the last one loaded
    WallTime since = {};   ///< what the store still has does not wait for longer than this one
    bool more = true;      ///< the store may have newer ones
    bool rewound = false;  ///< the store has some that are older than those in memory
    bool loading = false;
    bool rewound_loading = false;  ///< the answer to come is to what was asked before that
    bool beside_move =
        false;  ///< the answer to come was read before or after the times were moved: who knows
    bool retries = true;  ///< the store may have some between two attempts that are due

    /// The level is read again from its oldest one on.
    void rewind() {
        after = {};
        since = {};
        more = true;
        rewound = true;
        rewound_loading = loading;
    }
};

struct Group {
    /// A send queue of two places a line is small enough for a high level not to wait behind it. At most all lines but one are kept.
    Group(GroupId group_id, std::string group_name, const AgeingRules& ageing, std::size_t lines)
        : id(group_id),
          name(std::move(group_name)),
          waiting(ageing),
          encoded(ageing, 2 * std::max<std::size_t>(lines, 1), std::max<std::size_t>(lines, 2),
                  lines) {}

    GroupId id;
    std::string name;
    queue::SendBufferQueue waiting;
    queue::SendQueue encoded;
    std::array<RefillState, level_count> refill = {};
    std::size_t ready_lines = 0;
    std::deque<ModemId> free_lines;  ///< idle for the longest time first
    std::optional<WallTime> set_aside_until =
        {};               ///< messages for which no SIM has recipients left: they wait in the store
    bool paused = false;  ///< the rack or this group: nothing that waits is given out
    WallTime resumed_at = WallTime::min();  ///< when the last pause of rack or group ended
    SteadyTime held_until =
        SteadyTime::min();  ///< the store refuses attempts (disk full): nothing is given out before
};

}  // namespace smsrack::dispatch
