/// Movable holidays, as far as they were listed: finds the day of another year that a given hour
/// resembles.
///
/// Unit:    hours since 1970-01-01T00Z; a holiday is a day of the zone.
/// Threads: any; immutable.
/// Source:  [Elastic] e_i, "the same time of last year": of Easter that is another date.
#pragma once

#include "src/base/result.hpp"
#include "src/base/time_zone.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::scaling {

class Calendar {
public:
    /// No holidays.
    Calendar() = default;
    /// Each as "Easter 2026-04-05"; several of one name are the same holiday in other years.
    /// Errors: bad_request: one of them is not so.
    [[nodiscard]] static Result<Calendar> parse(const std::vector<std::string>& holidays,
                                                TimeZone zone);

    [[nodiscard]] bool is_holiday(std::int64_t hour) const;
    /// The same hour of the same holiday, the last time before; nullopt if it is none, or the first that is listed.
    [[nodiscard]] std::optional<std::int64_t> hour_before(std::int64_t hour) const;

private:
    struct Holiday {
        std::string name = {};
        std::int64_t day = 0;  // of the zone, since 1970-01-01
    };
    [[nodiscard]] static std::optional<Holiday> holiday_of(std::string_view text);
    [[nodiscard]] std::int64_t day_of(std::int64_t hour) const;

    std::vector<Holiday> holidays_ = {};  // by day
    TimeZone zone_ = {};
};

}  // namespace smsrack::scaling
