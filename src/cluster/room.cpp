#include "src/cluster/room.hpp"

#include <algorithm>
#include <cmath>

namespace smsrack::cluster {

std::size_t room_of(const GroupPace& pace, std::chrono::seconds ahead) {
    const double sent = pace.messages_per_s * static_cast<double>(ahead.count());
    const std::size_t wanted =
        std::max(pace.modems, static_cast<std::size_t>(std::ceil(std::max(0.0, sent))));
    return pace.modems == 0 || wanted <= pace.held ? 0 : wanted - pace.held;
}

std::vector<ports::TakeWish> wishes_of(std::span<const GroupPace> groups,
                                       std::chrono::seconds ahead) {
    std::size_t rooms = 0;
    for (const GroupPace& group : groups) {
        rooms += room_of(group, ahead);
    }
    std::vector<ports::TakeWish> wishes;
    std::size_t left = ports::engine_batch_max;
    for (const GroupPace& group : groups) {
        const std::size_t room = room_of(group, ahead);
        if (room == 0 || left == 0) {
            continue;
        }
        // Each gets one at least, so that a small group is not behind a large one for long.
        const std::size_t share = std::max<std::size_t>(
            1, std::min(room, room * ports::engine_batch_max / std::max(rooms, std::size_t{1})));
        const std::size_t limit = std::min({room, share, left});
        wishes.push_back({.group = group.group, .limit = limit});
        left -= limit;
    }
    return wishes;
}

}  // namespace smsrack::cluster
