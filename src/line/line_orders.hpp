/// What a person asked of a line: in turn, one at a time, and none waits for ever.
///
/// Bound:   waiting_max orders, each at most wait_max until its turn (a modem may hold a submit for
/// two minutes; a person asks again).
/// Threads: the line's thread; so do the answers come.
#pragma once

#include "src/base/clock.hpp"
#include "src/ports/hand_order.hpp"

#include <chrono>
#include <deque>
#include <optional>

namespace smsrack::line {

struct GivenOrder {
    ports::HandOrder order;
    ports::HandDone done;
};

class LineOrders {
public:
    static constexpr std::size_t waiting_max = 8;
    static constexpr std::chrono::seconds wait_max{30};

    /// Answers busy where too many wait.
    void add(GivenOrder given, SteadyTime now);
    [[nodiscard]] bool waiting() const { return !waiting_.empty(); }
    [[nodiscard]] bool in_hand() const { return done_.has_value(); }

    /// The oldest, now in progress until end().
    [[nodiscard]] ports::HandOrder take();
    void end(const Result<ports::HandAnswer>& answer);

    /// Answers busy to those that have waited too long.
    void give_up_late(SteadyTime now);
    [[nodiscard]] SteadyTime give_up_at() const {
        return waiting_.empty() ? never : waiting_.front().until;
    }

private:
    struct Waiting {
        GivenOrder given;
        SteadyTime until;
    };
    std::deque<Waiting> waiting_;  // oldest first
    std::optional<ports::HandDone> done_;
};

}  // namespace smsrack::line
