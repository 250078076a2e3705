/// How what was dated by a clock that was set is to be moved.
///
/// Unit: milliseconds of UTC.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>

namespace smsrack {

/// From here on somebody set the clock, NTP or a person: the kernel slews its two clocks alike. What is less is followed: a SIM begins hardly more
/// than one segment in it, so by so much its hour may be shorter than one.
inline constexpr std::chrono::milliseconds clock_step_least{500};

/// A message with less than this to live, from its acceptance on, is worth nothing when it comes late: a one-time code. Where it can't be told
/// whether its time has passed, it has.
inline constexpr std::chrono::minutes short_life{10};

/// What was dated after `after` and not after `until` is to be moved `by`.
struct ClockMove {
    WallTime after = {};
    WallTime until = {};
    std::chrono::milliseconds by{0};
    bool may_be_pause =
        false;  ///< the machine may have stood still for so long (a VM), and its clock caught up

    [[nodiscard]] bool concerns(WallTime dated) const { return after < dated && dated <= until; }

    /// What lives shorter than this is not given more time.
    [[nodiscard]] std::chrono::milliseconds life_least() const {
        return may_be_pause ? short_life : std::chrono::milliseconds(0);
    }
    /// As concerns(), of the dates of a message.
    [[nodiscard]] bool concerns(WallTime created_at, WallTime expires_at) const {
        return concerns(created_at) && expires_at - created_at >= life_least();
    }
};

}  // namespace smsrack
