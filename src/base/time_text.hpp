/// Reads and writes times in RFC 3339, UTC, with milliseconds: "2026-11-21T02:20:18.042Z".
///
/// Errors:  bad_request: not such a time, not a day of the calendar, or in UTC not in a year that time_text() can say.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <string>
#include <string_view>

namespace smsrack {

/// Years 0000 to 9999.
[[nodiscard]] std::string time_text(WallTime time);

/// Takes any zone and any number of decimals (cut to milliseconds); "T" and "Z" may be small. A
/// leap second counts as the second after it.
[[nodiscard]] Result<WallTime> time_of(std::string_view text);

}  // namespace smsrack
