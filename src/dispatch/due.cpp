#include "src/dispatch/due.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {

bool DueQuestion::ask(WallTime now) {
    const bool due = is_due(now);
    if (due) {
        next_.reset();
    }
    asked_at_ = now;
    return due;
}

WallTime DueQuestion::answered() {
    SMSRACK_CHECK(asked_at_);
    return *std::exchange(asked_at_, std::nullopt);
}

OutMessage Due::take_kept() {
    OutMessage message = std::move(came_.back());
    came_.pop_back();
    return message;
}

bool Due::take_sweep(SteadyTime now) {
    if (now < next_sweep_) {
        return false;
    }
    next_sweep_ = now + sweep_period;
    return true;
}

SteadyTime Due::deadline(SteadyTime now, WallTime wall, bool messages_may, bool doubts_may) const {
    SteadyTime first = next_sweep_;
    const auto look_at = [&](std::optional<WallTime> at) {
        if (at && *at < wall + sweep_period) {
            const auto wait =
                std::max<std::chrono::milliseconds>(*at - wall, std::chrono::milliseconds(1));
            first = std::min(first, now + wait);
        }
    };
    if (messages_may) {
        look_at(messages.next());
    }
    if (doubts_may) {
        look_at(doubts.next());
    }
    return first;
}

}  // namespace smsrack::dispatch
