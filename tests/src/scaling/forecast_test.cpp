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

TEST_CASE("forecast: of a holiday that moves the last one speaks, and its old date does not") {
    const Calendar calendar =
        Calendar::parse({"Easter 2025-04-20", "Easter 2026-04-05", "May Day 2026-05-01"}, {})
            .value();
    std::vector<HourCount> history;
    const std::int64_t easter = hour(2025, 4, 20, 10);
    add(history, hour(2025, 3, 1, 0), easter, 100);
    history.push_back({easter, 1'000});
    add(history, easter + 1, hour(2026, 4, 30, 0), 100);
    const std::int64_t next_easter = hour(2026, 4, 5, 10);
    CHECK(*expected_in(next_easter, history) == doctest::Approx(100));
    CHECK(*expected_in(next_easter, history, calendar) == doctest::Approx(1'000));
    const std::int64_t last_years_date = hour(2026, 4, 20, 10);
    CHECK(*expected_in(last_years_date, history) > 900);
    CHECK(*expected_in(last_years_date, history, calendar) == doctest::Approx(100));
    // The first that is listed goes by the same date of the year before, as without a calendar.
    CHECK(expected_in(hour(2026, 5, 1, 10), history, calendar) ==
          expected_in(hour(2026, 5, 1, 10), history));
    CHECK(first_hour_for(next_easter, calendar) == first_hour_for(next_easter));
    const Calendar late = Calendar::parse({"Easter 2024-03-31", "Easter 2025-04-20"}, {}).value();
    CHECK(first_hour_for(easter, late) == hour(2024, 3, 31, 10) - 4 * week);
}

TEST_CASE("forecast: a holiday of the last weeks is no sample of an ordinary day") {
    const std::int64_t now = hour(2026, 4, 26, 10);
    std::vector<HourCount> history;
    add(history, now - 4 * week, now, 100);
    for (HourCount& at : history) {
        if (at.hour == now - 3 * week) {  // 5 April
            at.messages = 900;
        }
    }
    CHECK(*expected_in(now, history) == doctest::Approx(300));
    const Calendar calendar = Calendar::parse({"Easter 2026-04-05"}, {}).value();
    CHECK(*expected_in(now, history, calendar) == doctest::Approx(100));
}

TEST_CASE("Calendar: a name and a date for each holiday") {
    for (const char* const bad : {"", "Easter", "2026-04-05", " 2026-04-05", "Easter 2026-02-30",
                                  "Easter 5.4.2026", "Easter 2026-04-05T"}) {
        CAPTURE(bad);
        CHECK_FALSE(Calendar::parse({bad}, {}));
    }
    CHECK(Calendar::parse({"Tet, second day 2026-02-18"}, {})
              .value()
              .is_holiday(hour(2026, 2, 18, 23)));
}
