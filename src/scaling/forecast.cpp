#include "src/scaling/forecast.hpp"

#include <algorithm>
#include <chrono>

namespace smsrack::scaling {
namespace {

constexpr std::int64_t day = 24;
constexpr std::int64_t week = 7 * day;
constexpr std::int64_t weeks = 4;

/// The same date and hour a year before; of 29 February the 28th.
std::int64_t year_before(std::int64_t hour) {
    using std::chrono::floor;
    const std::chrono::sys_time<std::chrono::hours> at{std::chrono::hours(hour)};
    const auto midnight = floor<std::chrono::days>(at);
    std::chrono::year_month_day date{midnight};
    date -= std::chrono::years(1);
    if (!date.ok()) {
        date = date.year() / date.month() / std::chrono::last;
    }
    return (std::chrono::sys_days(date) + (at - midnight)).time_since_epoch() /
           std::chrono::hours(1);
}

class History {
public:
    explicit History(std::span<const HourCount> hours) : hours_(hours) {}

    [[nodiscard]] bool reaches(std::int64_t hour) const {
        return !hours_.empty() && hours_.front().hour <= hour && hour <= hours_.back().hour;
    }
    [[nodiscard]] double at(std::int64_t hour) const { return sum(hour, hour + 1); }

    /// From `first` to before `end`.
    [[nodiscard]] double sum(std::int64_t first, std::int64_t end) const {
        double total = 0;
        for (auto hour = std::ranges::lower_bound(hours_, first, {}, &HourCount::hour);
             hour != hours_.end() && hour->hour < end; ++hour) {
            total += hour->messages;
        }
        return total;
    }

private:
    std::span<const HourCount> hours_;
};

std::optional<double> weekly(std::int64_t hour, const History& history, const Calendar& calendar) {
    double sum = 0;
    int found = 0;
    for (std::int64_t back = 1; back <= weeks; ++back) {
        const std::int64_t then = hour - back * week;
        if (history.reaches(then) && !calendar.is_holiday(then)) {
            sum += history.at(then);
            ++found;
        }
    }
    return found > 0 ? std::optional(sum / found) : std::nullopt;
}

std::optional<double> yearly(std::int64_t hour, const History& history, const Calendar& calendar) {
    const auto holiday = calendar.hour_before(hour);
    const std::int64_t then = holiday.value_or(year_before(hour));
    const bool was_another_day = !holiday && calendar.is_holiday(then);
    if (was_another_day || !history.reaches(then - weeks * week)) {
        return std::nullopt;
    }
    const double before = history.sum(then - weeks * week, then);
    const double now = history.sum(hour - weeks * week, hour);
    return before > 0 ? std::optional(history.at(then) * now / before) : std::nullopt;
}

}  // namespace

std::optional<double> expected_in(std::int64_t hour, std::span<const HourCount> history,
                                  const Calendar& calendar) {
    const History known(history);
    // Nothing is below everything.
    return std::max(weekly(hour, known, calendar), yearly(hour, known, calendar));
}

std::int64_t first_hour_for(std::int64_t hour, const Calendar& calendar) {
    const std::int64_t then = year_before(hour);
    return std::min(then, calendar.hour_before(hour).value_or(then)) - weeks * week;
}

}  // namespace smsrack::scaling
