#include "src/smpp/times.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>

namespace smsrack::smpp {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::months;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;
using std::chrono::years;

constexpr std::size_t length = 16;
constexpr int quarters_max = 48;  // half a day
constexpr year century{2000};

/// Its fields, two digits each: year, month, day, hour, minute, second.
struct Fields {
    std::array<int, 6> two = {};
    int tenths = 0;
    int quarters = 0;  // of an hour
};

std::optional<Fields> fields_of(std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.size() != length || !std::ranges::all_of(text.substr(0, length - 1), is_digit)) {
        return std::nullopt;
    }
    const auto two_at = [&](std::size_t at) {
        return (text[at] - '0') * 10 + (text[at + 1] - '0');
    };
    Fields fields{.tenths = text[12] - '0', .quarters = two_at(13)};
    for (std::size_t i = 0; i < fields.two.size(); ++i) {
        fields.two.at(i) = two_at(2 * i);
    }
    return fields;
}

std::chrono::milliseconds time_of_day(const Fields& fields) {
    constexpr int tenth_ms = 100;
    return hours(fields.two[3]) + minutes(fields.two[4]) + seconds(fields.two[5]) +
           std::chrono::milliseconds(fields.tenths * tenth_ms);
}

/// A day that the month does not have is the last one that it has.
WallTime later(WallTime now, const Fields& fields) {
    const auto day = floor<days>(now);
    auto date = year_month_day(day) + years(fields.two[0]) + months(fields.two[1]);
    if (!date.ok()) {
        date = date.year() / date.month() / std::chrono::last;
    }
    return sys_days(date) + (now - day) + days(fields.two[2]) + time_of_day(fields);
}

std::optional<WallTime> absolute(const Fields& fields, bool ahead) {
    const year_month_day date(century + years(fields.two[0]),
                              std::chrono::month(static_cast<unsigned>(fields.two[1])),
                              std::chrono::day(static_cast<unsigned>(fields.two[2])));
    const bool is_time = fields.two[3] < 24 && fields.two[4] < 60 && fields.two[5] < 60;
    if (!date.ok() || !is_time || fields.quarters > quarters_max) {
        return std::nullopt;
    }
    const minutes zone(fields.quarters * 15);
    return sys_days(date) + time_of_day(fields) + (ahead ? -zone : zone);
}

}  // namespace

std::optional<WallTime> time_of(std::string_view text, WallTime now) {
    const auto fields = fields_of(text);
    if (!fields) {
        return std::nullopt;
    }
    switch (text.back()) {
        case 'R':
            return later(now, *fields);
        case '+':
        case '-':
            return absolute(*fields, text.back() == '+');
        default:
            return std::nullopt;
    }
}

std::string absolute_time(WallTime time) {
    const auto day = floor<days>(time);
    const std::chrono::hh_mm_ss clock(floor<seconds>(time - day));
    return fmt::format("{}{:02}000+", receipt_time(time), clock.seconds().count());
}

std::string receipt_time(WallTime time) {
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const std::chrono::hh_mm_ss clock(floor<seconds>(time - day));
    return fmt::format("{:02}{:02}{:02}{:02}{:02}", static_cast<int>(date.year()) % 100,
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       clock.hours().count(), clock.minutes().count());
}

}  // namespace smsrack::smpp
