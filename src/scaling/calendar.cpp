#include "src/scaling/calendar.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace smsrack::scaling {
namespace {

constexpr std::int64_t day_hours = 24;

WallTime time_at(std::int64_t hour) {
    return WallTime(std::chrono::hours(hour));
}

}  // namespace

std::optional<Calendar::Holiday> Calendar::holiday_of(std::string_view text) {
    const auto blank = text.rfind(' ');
    if (blank == std::string_view::npos || blank == 0) {
        return std::nullopt;
    }
    const auto midnight = time_of(std::string(text.substr(blank + 1)) + "T00:00:00Z");
    if (!midnight) {
        return std::nullopt;
    }
    return Holiday{
        .name = std::string(text.substr(0, blank)),
        .day = std::chrono::floor<std::chrono::days>(*midnight).time_since_epoch().count()};
}

Result<Calendar> Calendar::parse(const std::vector<std::string>& holidays, TimeZone zone) {
    Calendar calendar;
    calendar.zone_ = std::move(zone);
    for (const std::string& text : holidays) {
        auto holiday = holiday_of(text);
        if (!holiday) {
            return fail(Errc::bad_request,
                        "\"" + text + "\" is not a name and a date, such as \"Easter 2026-04-05\"");
        }
        calendar.holidays_.push_back(*std::move(holiday));
    }
    std::ranges::sort(calendar.holidays_, {}, &Holiday::day);
    return calendar;
}

std::int64_t Calendar::day_of(std::int64_t hour) const {
    return zone_.span_of(time_at(hour)).day;
}

bool Calendar::is_holiday(std::int64_t hour) const {
    return !holidays_.empty() &&
           std::ranges::binary_search(holidays_, day_of(hour), {}, &Holiday::day);
}

/// The clock of the place may stand elsewhere on that day than today (summer time).
std::optional<std::int64_t> Calendar::hour_before(std::int64_t hour) const {
    if (holidays_.empty()) {
        return std::nullopt;
    }
    const std::int64_t today = day_of(hour);
    const auto now = std::ranges::find(holidays_, today, &Holiday::day);
    if (now == holidays_.end()) {
        return std::nullopt;
    }
    for (auto earlier = now; earlier != holidays_.begin();) {
        --earlier;
        if (earlier->name == now->name) {
            const std::int64_t then = hour + (earlier->day - today) * day_hours;
            const auto moved = zone_.offset_at(time_at(hour)) - zone_.offset_at(time_at(then));
            return then + std::chrono::round<std::chrono::hours>(moved).count();
        }
    }
    return std::nullopt;
}

}  // namespace smsrack::scaling
