/// The hours of each day in which messages of low priority wait.
///
/// Time:    local time of a place: a change of its clocks within the quiet hours moves their end as people there expect.
/// Threads: any; immutable.
#pragma once

#include "src/base/time_zone.hpp"
#include "src/sms/level.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace smsrack::rules {

struct QuietHours {
    std::chrono::minutes from{0};  ///< of the local day; from = to: there are none
    std::chrono::minutes to{0};
    TimeZone zone = {};
    Level below = 0;       ///< levels under this one keep them
    bool refuses = false;  ///< a submit within them is refused, rather than kept until they end

    /// When the quiet hours that contain `at` end; nullopt if a message of this level may go.
    [[nodiscard]] std::optional<WallTime> end(Level level, WallTime at) const;
};

/// "21:30" -> 1290 minutes; the text keeps config's form.
[[nodiscard]] std::chrono::minutes time_of_day(std::string_view text);

}  // namespace smsrack::rules
