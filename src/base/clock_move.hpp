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

/// What was dated after `after` and not after `until` is to be moved `by`.
struct ClockMove {
    WallTime after = {};
    WallTime until = {};
    std::chrono::milliseconds by{0};

    [[nodiscard]] bool concerns(WallTime dated) const { return after < dated && dated <= until; }
};

}  // namespace smsrack
