#include "src/base/posix_zone.hpp"

#include <algorithm>
#include <cctype>

namespace smsrack {

using std::chrono::seconds;

/// Each step takes its part off the front of the text, or says false.
class PosixZone::Reader {
public:
    explicit Reader(std::string_view text) : left_(text) {}

    [[nodiscard]] bool at_end() const { return left_.empty(); }

    bool skip(char wanted) {
        const bool there = left_.starts_with(wanted);
        left_.remove_prefix(there ? 1 : 0);
        return there;
    }

    /// "CET", "<+03>".
    bool name() {
        std::size_t length = 0;
        if (left_.starts_with('<')) {
            const auto end = left_.find('>');
            length = end == std::string_view::npos ? 0 : end + 1;
        } else {
            while (length < left_.size() &&
                   std::isalpha(static_cast<unsigned char>(left_[length])) != 0) {
                ++length;
            }
        }
        left_.remove_prefix(length);
        return length >= 3;
    }

    bool number(int& out, int max) {
        constexpr int base = 10;
        std::size_t digits = 0;
        out = 0;
        while (digits < left_.size() && left_[digits] >= '0' && left_[digits] <= '9' &&
               out <= max) {
            out = out * base + (left_[digits++] - '0');
        }
        left_.remove_prefix(digits);
        return digits > 0 && out <= max;
    }

    /// "[+-]h[h][:mm[:ss]]", west of Greenwich.
    bool offset(seconds& out) {
        constexpr int hours_max = 24;
        return time(out, hours_max);
    }

    /// "[+-]h[h[h]][:mm[:ss]]".
    bool time(seconds& out, int hours_max) {
        constexpr int sixty_max = 59;
        const bool negative = skip('-');
        if (!negative) {
            skip('+');
        }
        int hours = 0;
        int minutes = 0;
        int rest = 0;
        if (!number(hours, hours_max) || (skip(':') && !number(minutes, sixty_max)) ||
            (skip(':') && !number(rest, sixty_max))) {
            return false;
        }
        out = std::chrono::hours(hours) + std::chrono::minutes(minutes) + seconds(rest);
        out = negative ? -out : out;
        return true;
    }

    bool change(Change& out) {
        if (!skip(',')) {
            return false;
        }
        bool good = false;
        if (skip('M')) {
            out.kind = DayKind::weekday_of_month;
            good = number(out.month, 12) && out.month >= 1 && skip('.') && number(out.week, 5) &&
                   out.week >= 1 && skip('.') && number(out.day, 6);
        } else if (skip('J')) {
            out.kind = DayKind::without_leap_day;
            good = number(out.day, 365) && out.day >= 1;
        } else {
            good = number(out.day, 365);
        }
        constexpr int hours_max = 167;  // a week, for the rules of places that count from its days
        return good && (!skip('/') || time(out.time, hours_max));
    }

private:
    std::string_view left_;
};

std::optional<PosixZone> PosixZone::parse(std::string_view text) {
    Reader reader(text);
    PosixZone zone;
    seconds west{0};
    if (!reader.name() || !reader.offset(west)) {
        return std::nullopt;
    }
    zone.standard_ = -west;
    if (reader.at_end()) {
        return zone;
    }
    zone.summer_ = zone.standard_ + std::chrono::hours(1);
    if (!reader.name()) {
        return std::nullopt;
    }
    Reader ahead = reader;
    if (ahead.offset(west)) {
        zone.summer_ = -west;
        reader = ahead;
    }
    if (!reader.change(zone.begins_) || !reader.change(zone.ends_) || !reader.at_end()) {
        return std::nullopt;
    }
    return zone;
}

std::chrono::local_seconds PosixZone::Change::in(std::chrono::year year) const {
    using namespace std::chrono;
    constexpr int leap_day_place = 60;  // J60 is the first of March in every year
    const auto first = local_days(year / January / 1);
    switch (kind) {
        case DayKind::weekday_of_month: {
            const auto of_month = year / std::chrono::month(static_cast<unsigned>(month));
            const weekday wanted(static_cast<unsigned>(day));
            const auto date = week == 5
                                  ? local_days(of_month / wanted[last])
                                  : local_days(of_month / wanted[static_cast<unsigned>(week)]);
            return date + time;
        }
        case DayKind::without_leap_day:
            return first + days(day - 1 + (year.is_leap() && day >= leap_day_place ? 1 : 0)) + time;
        case DayKind::day_of_year:
            break;
    }
    return first + days(day) + time;
}

seconds PosixZone::offset_at(std::chrono::sys_seconds time) const {
    using namespace std::chrono;
    if (!summer_) {
        return standard_;
    }
    const auto year = year_month_day(floor<days>(time + standard_)).year();
    const sys_seconds begins(begins_.in(year).time_since_epoch() - standard_);
    const sys_seconds ends(ends_.in(year).time_since_epoch() - *summer_);
    const bool is_summer = begins < ends ? begins <= time && time < ends  // northern half
                                         : begins <= time || time < ends;
    return is_summer ? *summer_ : standard_;
}

}  // namespace smsrack
