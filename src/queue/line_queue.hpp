/// The queue from dispatch to one line: slot numbers, one at a time (Boost.Lockfree).
///
/// Bound:   2 places: a line holds one message, so a correct dispatcher never needs the second.
/// Threads: push() by the dispatch thread, pop() by the line's.
#pragma once

#include "src/queue/slot_pool.hpp"

#include <boost/lockfree/spsc_queue.hpp>

#include <optional>

namespace smsrack::queue {

class LineQueue {
public:
    [[nodiscard]] bool push(SlotNumber slot) { return ring_.push(slot); }
    [[nodiscard]] std::optional<SlotNumber> pop() {
        SlotNumber slot = 0;
        return ring_.pop(slot) ? std::optional(slot) : std::nullopt;
    }

private:
    boost::lockfree::spsc_queue<SlotNumber, boost::lockfree::capacity<2>> ring_;
};

}  // namespace smsrack::queue
