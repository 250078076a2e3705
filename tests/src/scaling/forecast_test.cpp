#include "src/scaling/forecast.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <vector>

using namespace smsrack::scaling;

namespace {

constexpr std::int64_t day = 24;
constexpr std::int64_t week = 7 * day;

std::int64_t hour(int year, unsigned month, unsigned date, int of_day) {
    const std::chrono::sys_days at =
        std::chrono::year(year) / static_cast<int>(month) / static_cast<int>(date);
    return at.time_since_epoch().count() * day + of_day;
}

/// So much in each hour from `first` to before `end`.
void add(std::vector<HourCount>& history, std::int64_t first, std::int64_t end, double messages) {
    for (std::int64_t at = first; at < end; ++at) {
        history.push_back({at, messages});
    }
}

}  // namespace

TEST_CASE("forecast: without a history nothing is expected, rather than no traffic") {
    CHECK_FALSE(expected_in(hour(2026, 11, 21, 12), {}));
    std::vector<HourCount> yesterday;
    add(yesterday, hour(2026, 11, 20, 0), hour(2026, 11, 21, 0), 100);
    CHECK_FALSE(expected_in(hour(2026, 11, 21, 12), yesterday));
}

TEST_CASE("forecast: the same hour and weekday of four weeks, hours without a row are zero") {
    const std::int64_t now = hour(2026, 11, 21, 12);
    std::vector<HourCount> history;
    history.push_back({now - 5 * week, 999});  // too long ago
    history.push_back({now - 4 * week, 40});
    history.push_back({now - 2 * week, 80});
    history.push_back({now - 2 * week + 1, 7'000});  // another hour
    history.push_back({now - week, 40});
    CHECK(*expected_in(now, history) == doctest::Approx(40));  // 40, 0, 80, 40
    const std::vector<HourCount> one_week{{now - week, 60}, {now - 1, 5}};
    CHECK(*expected_in(now, one_week) == doctest::Approx(60));
}

TEST_CASE("forecast: a date of last year speaks with the growth since, where it says more") {
    const std::int64_t now = hour(2026, 12, 31, 23);
    const std::int64_t then = hour(2025, 12, 31, 23);
    std::vector<HourCount> history;
    add(history, then - 4 * week, then, 100);
    history.push_back({then, 1'000});  // ten times an hour of then
    add(history, then + 1, now - 4 * week, 100);
    add(history, now - 4 * week, now, 150);  // grown by half
    CHECK(*expected_in(now, history) == doctest::Approx(1'500));
    const std::int64_t ordinary = hour(2026, 12, 30, 23);
    CHECK(*expected_in(ordinary, history) == doctest::Approx(137.5));  // 100, 150, 150, 150
}

TEST_CASE("forecast: 29 February looks at the 28th") {
    const std::int64_t now = hour(2028, 2, 29, 6);
    CHECK(first_hour_for(now) == hour(2027, 2, 28, 6) - 4 * week);
    std::vector<HourCount> history;
    add(history, hour(2027, 1, 1, 0), hour(2027, 3, 1, 0), 10);
    add(history, hour(2028, 1, 1, 0), now, 20);
    CHECK(*expected_in(now, history) == doctest::Approx(20));
}
