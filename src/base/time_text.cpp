#include "src/base/time_text.hpp"

namespace smsrack {
namespace {

using namespace std::chrono_literals;

constexpr WallTime first_time{std::chrono::sys_days{std::chrono::year{0} / 1 / 1}};
constexpr WallTime end_of_times{std::chrono::sys_days{std::chrono::year{10'000} / 1 / 1}};

void put(char* at, int value, int digits) {
    for (int i = digits - 1; i >= 0; --i) {
        at[i] = static_cast<char>('0' + value % 10);
        value /= 10;
    }
}

/// Reads from the left; every step that does not fit leaves the whole thing refused.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    int number(std::size_t digits) {
        int value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') {
                good_ = false;
                return 0;
            }
            value = value * 10 + (rest_[0] - '0');
            rest_.remove_prefix(1);
        }
        return value;
    }
    bool skip(char wanted) {
        if (rest_.empty() || rest_[0] != wanted) {
            return false;
        }
        rest_.remove_prefix(1);
        return true;
    }
    void need(char wanted, char other) { good_ = (skip(wanted) || skip(other)) && good_; }
    std::chrono::milliseconds decimals() {
        int value = 0;
        int scale = 100;
        if (!skip('.')) {
            return 0ms;
        }
        value += number(1) * scale;
        while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
            scale /= 10;
            value += (rest_[0] - '0') * scale;
            rest_.remove_prefix(1);
        }
        return std::chrono::milliseconds(value);
    }
    std::chrono::minutes zone() {
        if (skip('Z') || skip('z')) {
            return 0min;
        }
        const bool west = skip('-');
        good_ = (west || skip('+')) && good_;
        const int hours = number(2);
        need(':', ':');
        const int minutes = number(2);
        good_ = good_ && hours <= 23 && minutes <= 59;
        const auto offset = std::chrono::hours(hours) + std::chrono::minutes(minutes);
        return west ? -offset : offset;
    }
    [[nodiscard]] bool all_good() const { return good_ && rest_.empty(); }

private:
    std::string_view rest_;
    bool good_ = true;
};

}  // namespace

std::string time_text(WallTime time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    std::string text = "0000-00-00T00:00:00.000Z";
    put(&text[0], static_cast<int>(date.year()), 4);
    put(&text[5], static_cast<int>(static_cast<unsigned>(date.month())), 2);
    put(&text[8], static_cast<int>(static_cast<unsigned>(date.day())), 2);
    put(&text[11], static_cast<int>(clock.hours().count()), 2);
    put(&text[14], static_cast<int>(clock.minutes().count()), 2);
    put(&text[17], static_cast<int>(clock.seconds().count()), 2);
    put(&text[20], static_cast<int>(clock.subseconds().count()), 3);
    return text;
}

Result<WallTime> time_of(std::string_view text) {
    Reader reader(text);
    const int year = reader.number(4);
    reader.need('-', '-');
    const int month = reader.number(2);
    reader.need('-', '-');
    const int day = reader.number(2);
    reader.need('T', 't');
    const int hour = reader.number(2);
    reader.need(':', ':');
    const int minute = reader.number(2);
    reader.need(':', ':');
    const int second = reader.number(2);
    const std::chrono::milliseconds decimals = reader.decimals();
    const std::chrono::minutes zone = reader.zone();
    const std::chrono::year_month_day date(std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day)));
    if (!reader.all_good() || !date.ok() || hour > 23 || minute > 59 || second > 60) {
        return fail(Errc::bad_request, "not a time such as 2026-11-21T02:20:18.042Z");
    }
    const WallTime time = WallTime(std::chrono::sys_days(date)) + std::chrono::hours(hour) +
                          std::chrono::minutes(minute) + std::chrono::seconds(second) + decimals -
                          zone;
    if (time < first_time || time >= end_of_times) {
        return fail(Errc::bad_request, "not in the years 0000 to 9999 of UTC");
    }
    return time;
}

}  // namespace smsrack
