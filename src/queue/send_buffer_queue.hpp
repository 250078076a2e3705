/// The send buffer queue of one group: structured messages (slot numbers) in seven levels, FIFO
/// within each.
///
/// Bound:   the slot pool's.
/// Threads: the dispatch thread.
/// Source:  [SMSEngine] two levels of queues; [NSB] levels.
#pragma once

#include "src/queue/slot_pool.hpp"
#include "src/sms/level.hpp"

#include <array>
#include <deque>
#include <optional>

namespace smsrack::queue {

class SendBufferQueue {
public:
    void push(Level level, SlotNumber slot) { levels_.at(level).push_back(slot); }

    /// Ahead of its level: what was taken out and came back unsent, or waited its time between two
    /// attempts.
    void push_front(Level level, SlotNumber slot) { levels_.at(level).push_front(slot); }

    /// The head of the highest level that has one.
    [[nodiscard]] std::optional<SlotNumber> pop() {
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
            if (!level->empty()) {
                const SlotNumber slot = level->front();
                level->pop_front();
                return slot;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::size_t size(Level level) const { return levels_.at(level).size(); }

private:
    std::array<std::deque<SlotNumber>, level_count> levels_;
};

}  // namespace smsrack::queue
