/// How to move times that were recorded by a clock that has been set since.
///
/// Unit: milliseconds of UTC.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>

namespace smsrack {

/// From this size on the clock was set, by NTP or by the operator: the kernel slews its two clocks
/// alike. What is less is followed: a SIM begins hardly more than one segment in it, so its hour
/// may be shorter by this much.
inline constexpr std::chrono::milliseconds clock_step_least{500};

/// A message with a shorter time to live, from its acceptance on, is worth nothing when it comes
/// late: a one-time code. If it is unknown whether its time has passed, it counts as passed.
inline constexpr std::chrono::minutes short_life{10};

/// Times after `after` and up to `until` must be moved `by`.
struct ClockMove {
    WallTime after = {};
    WallTime until = {};
    std::chrono::milliseconds by{0};
    /// The machine may have been paused for that long (a VM), and its clock caught up.
    bool may_be_pause = false;

    [[nodiscard]] bool concerns(WallTime dated) const { return after < dated && dated <= until; }

    /// A message with a shorter time to live gets no more time.
    [[nodiscard]] std::chrono::milliseconds life_least() const {
        return may_be_pause ? short_life : std::chrono::milliseconds(0);
    }
    /// As concerns(), of the dates of a message.
    [[nodiscard]] bool concerns(WallTime created_at, WallTime expires_at) const {
        return concerns(created_at) && expires_at - created_at >= life_least();
    }
};

}  // namespace smsrack
