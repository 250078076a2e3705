/// Reads times on the command line: RFC 3339, or a distance from now such as "1h", "90m" or
/// "1d12h".
///
/// Unit:    s, m, h, d and w: seconds to weeks.
/// Threads: any.
#pragma once

#include "src/base/clock.hpp"

#include <string>
#include <string_view>

namespace smsrack::cli {

/// "1h" (or "-1h"): an hour before `now`, as RFC 3339. What is no distance stays as it is, for the service to judge.
[[nodiscard]] std::string time_before(std::string_view text, WallTime now);
/// "+2h" (or "2h"): two hours after `now`.
[[nodiscard]] std::string time_after(std::string_view text, WallTime now);

}  // namespace smsrack::cli
