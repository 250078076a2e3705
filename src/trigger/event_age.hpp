/// Decides whether an event is recent enough for a message: a signal that was three days in a queue
/// is no reason for a greeting.
///
/// An event without a time happened when it was offered. One from the future (its sender's clock is ahead) counts as one of now. The age
/// is measured by the clock that dates all else. While that clock is not believed it is behind the truth and never ahead (GuardedClock),
/// so no event is called too old that is not; one that is too old may pass.
/// Time:    the age at the offer is by the wall clock; from then on it grows by the steady clock, so setting the date changes nothing.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <chrono>
#include <string_view>

namespace smsrack::trigger {

/// RFC 3339 in any zone, or seconds since 1970, also with decimals. bad_request: neither.
[[nodiscard]] Result<WallTime> event_time(std::string_view text);

struct AgeLimit {
    std::chrono::seconds max{0};  ///< 0: none

    /// Until when an event of this time, which is offered now, is fresh; before `steady`: it is too old already.
    [[nodiscard]] SteadyTime fresh_until(WallTime happened, WallTime now, SteadyTime steady) const;
};

}  // namespace smsrack::trigger
