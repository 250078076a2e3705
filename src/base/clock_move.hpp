/// How what was dated by a clock that was set is to be moved.
///
/// Unit: milliseconds of UTC.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>

namespace smsrack {

/// A clock that differs by less from what the steady one expects is followed: that much NTP and a busy machine make of a second. From
/// here on somebody set it.
inline constexpr std::chrono::seconds clock_step_least{10};

/// What was dated after `after` and not after `until` is to be moved `by`.
struct ClockMove {
    WallTime after = {};
    WallTime until = {};
    std::chrono::milliseconds by{0};

    [[nodiscard]] bool concerns(WallTime dated) const { return after < dated && dated <= until; }
};

}  // namespace smsrack
