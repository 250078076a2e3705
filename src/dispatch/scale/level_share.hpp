/// How many messages of each level of each group may be in memory.
///
/// Every level has its own share, so that nothing that waits (a level that no line sends now, a group without a line) takes the place of
/// a message that goes before it. What does not fit waits in the store.
#pragma once

#include "src/sms/level.hpp"

#include <algorithm>
#include <cstddef>

namespace smsrack::dispatch {

struct LevelShare {
    std::size_t loaded = 0;   ///< from the queue in the store, at most
    std::size_t below = 0;    ///< fewer than these: more are loaded
    std::size_t retried = 0;  ///< between two attempts and due, at most
};

/// Of one line: four in the send queue, of which one is urgent and one for a kept line; one in its hand; one that waits for its SIM.
inline constexpr std::size_t slots_per_line = 6;

[[nodiscard]] constexpr LevelShare level_share(std::size_t slots, std::size_t groups,
                                               std::size_t lines) {
    const std::size_t levels = std::max<std::size_t>(groups, 1) * level_count;
    const std::size_t pool = slots - std::min(slots, lines * slots_per_line);
    const std::size_t each = std::max<std::size_t>(pool / levels, 2);
    const std::size_t retried = std::max<std::size_t>(each / 4, 1);
    const std::size_t loaded = each - retried;
    return {.loaded = loaded, .below = (loaded + 3) / 4, .retried = retried};
}

/// A second's work of a large group for each level, as long as memory is small: a message is about 400 octets, so these are at most
/// 2 MiB; and some for each of even 1,000 groups.
[[nodiscard]] constexpr std::size_t slots_for(std::size_t groups, std::size_t lines) {
    constexpr std::size_t per_level = 96;
    constexpr std::size_t per_level_least = 4;
    constexpr std::size_t most = 4'096;
    const std::size_t levels = groups * level_count;
    return std::max(std::min(levels * per_level, most), levels * per_level_least) +
           lines * slots_per_line;
}

}  // namespace smsrack::dispatch
