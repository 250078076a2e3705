/// How many messages this box asks the engine for: what its modems send in ahead_s, less what it has.
///
/// So the weights of the boxes are their measured rates: a slow modem gets less, whatever it was
/// configured as.
/// Unit:    messages.
#pragma once

#include "src/ports/cluster_engine.hpp"

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace smsrack::cluster {

/// One group of modems of this box.
struct GroupPace {
    std::string group = {};
    double messages_per_s = 0;  ///< measured, of all its modems that can send; 0: none can
    std::size_t modems = 0;     ///< that can send
    std::size_t held = 0;       ///< messages that this box holds or has firm, and has not ended
};

/// A modem that was never measured gets one at least, or it never would be.
[[nodiscard]] std::size_t room_of(const GroupPace& pace, std::chrono::seconds ahead);

/// Of each group that has room, at most engine_batch_max in all, shared by their rooms.
[[nodiscard]] std::vector<ports::TakeWish> wishes_of(std::span<const GroupPace> groups,
                                                     std::chrono::seconds ahead);

}  // namespace smsrack::cluster
