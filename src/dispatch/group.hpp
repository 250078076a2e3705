/// One group of lines: what waits for it, what is encoded for it, and which of its lines are free.
///
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/queue/send_buffer_queue.hpp"
#include "src/queue/send_queue.hpp"
#include "src/sms/level.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace smsrack::dispatch {

/// How far one level of a group was read from the store.
struct RefillState {
    MessageId after = {};  ///< the last one loaded
    bool more = true;      ///< the store may have newer ones
    bool loading = false;
};

struct Group {
    Group(GroupId group_id, std::string group_name, std::size_t send_queue_places)
        : id(group_id), name(std::move(group_name)), encoded(send_queue_places) {}

    GroupId id;
    std::string name;
    queue::SendBufferQueue waiting;
    queue::SendQueue encoded;
    std::array<RefillState, level_count> refill = {};
    std::deque<ModemId> free_lines;  ///< idle for the longest time first
    std::optional<WallTime> set_aside_until =
        {};  ///< messages for which no SIM has recipients left: they wait in the store
    SteadyTime held_until =
        SteadyTime::min();  ///< the store refuses attempts (disk full): nothing is given out before
};

}  // namespace smsrack::dispatch
