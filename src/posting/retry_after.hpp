/// The time that a receiver asks to wait: header Retry-After.
///
/// Bound:   wait_max, however much is asked for.
/// Errors:  nullopt: neither seconds nor a date.
/// Source:  RFC 9110 10.2.3 and 5.6.7: seconds, or a date in one of three forms
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace smsrack::posting {

inline constexpr std::chrono::seconds wait_max = std::chrono::hours(1);

/// A date that has passed is 0 s.
[[nodiscard]] std::optional<std::chrono::seconds> retry_after(std::string_view value, WallTime now);

}  // namespace smsrack::posting
