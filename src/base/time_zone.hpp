/// A time zone: converts a WallTime to the local calendar of a place.
///
/// Made of the octets of a TZif file; reading the file is the caller's. g++ 12's <chrono> has no
/// time zones, and localtime(3) knows one zone at a time.
/// Threads: any; immutable.
/// Errors:  protocol: the octets are not a TZif file of version 2 or later.
/// Source:  RFC 8536.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/posix_zone.hpp"
#include "src/base/result.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace smsrack {

/// The day and the month that hold a time. A day begins with its first instant, which is not
/// 00:00 where the clocks change at midnight.
struct CalendarSpan {
    std::int64_t day = 0;    ///< of the place, since 1970-01-01
    std::int64_t month = 0;  ///< of the place, since January of the year 0
    WallTime day_start = {};
    WallTime day_end = {};  ///< the next day begins
    WallTime month_end = {};

    [[nodiscard]] bool holds(WallTime time) const { return day_start <= time && time < day_end; }
};

class TimeZone {
public:
    /// UTC.
    TimeZone() = default;
    [[nodiscard]] static Result<TimeZone> parse(std::string_view octets);

    /// East of Greenwich.
    [[nodiscard]] std::chrono::seconds offset_at(WallTime time) const;
    [[nodiscard]] CalendarSpan span_of(WallTime time) const;

private:
    struct Transition {
        std::chrono::sys_seconds at;
        std::chrono::seconds offset;  // from then on
    };
    class File;

    [[nodiscard]] std::chrono::local_days date_of(WallTime time) const;
    [[nodiscard]] WallTime start_of(std::chrono::local_days date) const;

    std::chrono::seconds first_{0};             // before all transitions
    std::vector<Transition> transitions_ = {};  // oldest first
    std::optional<PosixZone> after_ = {};       // the last transition
};

}  // namespace smsrack
