/// The times of SMPP, such as "261127123000004+": read as an ESME writes them, and written for it.
///
/// Unit:    wall time, UTC.
/// Errors:  nullopt: not such a time, or not a day of the calendar.
/// Source:  SMPP 3.4 7.1.1; of receipts: Appendix B.
#pragma once

#include "src/base/clock.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::smpp {

/// Absolute ("YYMMDDhhmmsstnn+": nn quarter hours ahead of UTC, or "-" behind it) or relative to `now` ("YYMMDDhhmmss000R").
[[nodiscard]] std::optional<WallTime> time_of(std::string_view text, WallTime now);

/// "261127123000000+"
[[nodiscard]] std::string absolute_time(WallTime time);

/// "2611271230"
[[nodiscard]] std::string receipt_time(WallTime time);

}  // namespace smsrack::smpp
