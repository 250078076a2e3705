/// What a person asked of a line: in turn, one at a time, and none waits for ever.
///
/// Bound:   waiting_max orders, each at most wait_max until its turn (a modem may hold a submit for
/// two minutes; a person asks again).
/// Threads: the line's thread; so do the answers come.
#pragma once

#include "src/base/check.hpp"
#include "src/base/clock.hpp"
#include "src/ports/hand_order.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <utility>

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
    void add(GivenOrder given, SteadyTime now) {
        if (waiting_.size() == waiting_max) {
            given.done(std::unexpected(busy("too many commands wait for this modem")));
            return;
        }
        waiting_.push_back({std::move(given), now + wait_max});
    }
    [[nodiscard]] bool waiting() const { return !waiting_.empty(); }
    [[nodiscard]] bool in_hand() const { return done_.has_value(); }

    /// The oldest, now in progress until end().
    [[nodiscard]] ports::HandOrder take() {
        SMSRACK_CHECK(!waiting_.empty() && !done_);
        GivenOrder given = std::move(waiting_.front().given);
        waiting_.pop_front();
        done_ = std::move(given.done);
        return std::move(given.order);
    }
    void end(const Result<ports::HandAnswer>& answer) {
        SMSRACK_CHECK(done_.has_value());
        std::exchange(done_, std::nullopt).value()(answer);
    }

    /// Answers busy to those that have waited too long.
    void give_up_late(SteadyTime now) {
        for (; give_up_at() <= now; waiting_.pop_front()) {
            waiting_.front().given.done(
                std::unexpected(busy("the modem has had a message in hand for 30 s, and a command "
                                     "waits until it ends")));
        }
    }
    [[nodiscard]] SteadyTime give_up_at() const {
        return waiting_.empty() ? never : waiting_.front().until;
    }

private:
    static Error busy(std::string why) {
        return {.code = Errc::busy,
                .context = std::move(why),
                .retry_after = std::chrono::milliseconds(wait_max)};
    }
    struct Waiting {
        GivenOrder given;
        SteadyTime until;
    };
    std::deque<Waiting> waiting_;  // oldest first
    std::optional<ports::HandDone> done_;
};

}  // namespace smsrack::line
