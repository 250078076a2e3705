/// Forecasts the traffic of an hour from past hours.
///
/// The larger of: the mean of the same hour and weekday over the last four weeks; and the same hour
/// of the same date last year, times the growth coefficient: the last four weeks compared with the
/// same four weeks a year before. So a holiday is expected that no week before has shown. Of a
/// holiday that moves, the last one replaces the same date of last year; and days that were one say
/// nothing of those that are none.
/// Unit:    messages; hours since 1970-01-01T00Z.
/// Source:  [Elastic] e_i.
#pragma once

#include "src/scaling/calendar.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace smsrack::scaling {

struct HourCount {
    std::int64_t hour = 0;
    double messages = 0;
};

/// Messages of `hour`; nullopt if no relevant hour was recorded. `history` is in order of time; an
/// hour that is missing between two others had no traffic.
[[nodiscard]] std::optional<double> expected_in(std::int64_t hour,
                                                std::span<const HourCount> history,
                                                const Calendar& calendar = {});

/// The first hour that expected_in() may look at.
[[nodiscard]] std::int64_t first_hour_for(std::int64_t hour, const Calendar& calendar = {});

}  // namespace smsrack::scaling
