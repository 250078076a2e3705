/// The send buffer queue of one group: structured messages (slot numbers) in seven levels with promotion.
///
/// Bound:   the slot pool's.
/// Threads: the dispatch thread.
/// Source:  [SMSEngine] two levels of queues; [NSB] levels, adaptive priority.
#pragma once

#include "src/base/clock_move.hpp"
#include "src/queue/level_lists.hpp"
#include "src/queue/slot_pool.hpp"

#include <array>
#include <optional>

namespace smsrack::queue {

class SendBufferQueue {
public:
    explicit SendBufferQueue(const AgeingRules& rules) : lists_(rules) {}

    /// At the place of its age, wherever it comes from. `again`: it was tried before, or came back unsent.
    void push(const Turn& turn, SlotNumber slot, bool again = false) {
        again_.at(turn.first) += again ? 1 : 0;
        lists_.insert({turn, slot, again});
    }

    /// Of those that were accepted with `least` or above.
    [[nodiscard]] std::optional<Turn> next(WallTime now, Level least = 0) const {
        return turn_of(lists_.first(now, least));
    }

    /// The next of those that were promoted to the top.
    [[nodiscard]] std::optional<Turn> next_promoted(WallTime now) const {
        return turn_of(lists_.first_promoted(now));
    }

    /// One that waits here.
    [[nodiscard]] SlotNumber take(const Turn& turn) {
        const Waiting taken = lists_.remove(turn);
        again_.at(turn.first) -= taken.again ? 1 : 0;
        return taken.slot;
    }

    [[nodiscard]] std::size_t size(Level first) const { return lists_.of(first).size(); }
    [[nodiscard]] std::size_t size_again(Level first) const { return again_.at(first); }

    /// What was dated by a clock that was wrong is set right.
    void move_times(const ClockMove& move) {
        for (Waiting& waiting : lists_.take_all()) {
            if (move.concerns(waiting.turn.since)) {
                waiting.turn.since += move.by;
            }
            lists_.insert(waiting);
        }
    }

private:
    struct Waiting {
        Turn turn;
        SlotNumber slot;
        bool again;
    };

    static std::optional<Turn> turn_of(const Waiting* waiting) {
        return waiting == nullptr ? std::nullopt : std::optional(waiting->turn);
    }

    LevelLists<Waiting> lists_;
    std::array<std::size_t, level_count> again_ = {};  // of each list
};

}  // namespace smsrack::queue
