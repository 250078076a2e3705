/// One group of lines: what waits for it, and what is encoded for it.
///
/// Threads: the dispatch thread; `encoded` any.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/queue/send_buffer_queue.hpp"
#include "src/queue/send_queue.hpp"
#include "src/sms/level.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::dispatch {

struct Group {
    /// A send queue of two places a line is small enough for a high level not to wait behind it. At
    /// most all lines but one are kept.
    Group(GroupId group_id, std::string group_name, const AgeingRules& ageing, std::size_t lines)
        : id(group_id),
          name(std::move(group_name)),
          waiting(ageing),
          encoded(ageing, 2 * std::max<std::size_t>(lines, 1), std::max<std::size_t>(lines, 2),
                  lines) {}

    /// The message to encode next, for a free place of the send queue; nullopt: none. `may_go(turn)`:
    /// the store has none that goes before it; `promoted_may_go(turn)`: in the turn of the promoted.
    /// `displaced(slot)`: this one was encoded, and made room for it.
    template <std::predicate<Turn> MayGo, std::predicate<Turn> PromotedMayGo,
              std::invocable<queue::SlotNumber> Displaced>
    [[nodiscard]] std::optional<Turn> next_to_encode(WallTime now, MayGo may_go,
                                                     PromotedMayGo promoted_may_go,
                                                     Displaced displaced);

    GroupId id;
    std::string name;
    queue::SendBufferQueue waiting;
    queue::SendQueue encoded;
    std::size_t ready_lines = 0;
    /// The store refuses attempts (disk full): nothing is given out before.
    SteadyTime held_until = SteadyTime::min();
};

/// All groups, by index and by id. They never move.
class Groups {
public:
    /// Gives its index.
    std::uint16_t add(GroupId id, std::string name, const AgeingRules& ageing, std::size_t lines) {
        const auto index = static_cast<std::uint16_t>(groups_.size());
        groups_.emplace_back(id, std::move(name), ageing, lines);
        index_.emplace(id, index);
        return index;
    }
    /// nullopt: no line of this rack is in it.
    [[nodiscard]] std::optional<std::uint16_t> find(GroupId id) const {
        const auto found = index_.find(id);
        return found == index_.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] Group& operator[](std::uint16_t index) { return groups_[index]; }
    [[nodiscard]] const Group& operator[](std::uint16_t index) const { return groups_[index]; }
    [[nodiscard]] std::uint16_t size() const { return static_cast<std::uint16_t>(groups_.size()); }

private:
    std::deque<Group> groups_;
    std::map<GroupId, std::uint16_t> index_;
};

template <std::predicate<Turn> MayGo, std::predicate<Turn> PromotedMayGo,
          std::invocable<queue::SlotNumber> Displaced>
std::optional<Turn> Group::next_to_encode(WallTime now, MayGo may_go, PromotedMayGo promoted_may_go,
                                          Displaced displaced) {
    if (const auto least = encoded.lacks_for_kept()) {
        if (const auto next = waiting.next(now, *least); next && may_go(*next)) {
            return next;
        }
    }
    if (const auto next = waiting.next(now); next && may_go(*next)) {
        if (encoded.has_room_for(*next, now)) {
            return next;
        }
        if (const auto last = encoded.displace(*next, now)) {
            displaced(*last);
            return next;
        }
    }
    const auto next = encoded.lacks_promoted(now) ? waiting.next_promoted(now) : std::nullopt;
    return next && promoted_may_go(*next) ? next : std::nullopt;
}

}  // namespace smsrack::dispatch
