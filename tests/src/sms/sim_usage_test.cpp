#include "src/sms/sim_usage.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <random>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{std::chrono::sys_days{std::chrono::year{2026} / 1 / 31}};

QuotaLimits limit(QuotaWindow window, std::uint32_t segments) {
    QuotaLimits limits;
    limits.by_window.at(static_cast<std::size_t>(window)) = segments;
    return limits;
}

/// Counts one segment if it may be begun.
std::optional<QuotaWait> take(SimUsage& usage, const QuotaLimits& limits, WallTime at,
                              std::uint32_t segments = 1, bool new_recipient = false) {
    const CalendarSpan span = TimeZone{}.span_of(at);
    usage.turn(at, span);
    auto wait = quota_wait(usage, limits, span, segments, new_recipient);
    if (!wait) {
        usage.count(segments, new_recipient);
    }
    return wait;
}

}  // namespace

TEST_CASE("SimUsage: no 60 seconds and no 60 minutes ever hold more than the limit") {
    struct Row {
        QuotaWindow window;
        std::chrono::milliseconds length;
        std::chrono::milliseconds step_max;
    };
    for (const Row& row : {Row{QuotaWindow::minute, 1min, 9s}, Row{QuotaWindow::hour, 1h, 500s}}) {
        CAPTURE(quota_window_names.at(static_cast<std::size_t>(row.window)));
        constexpr std::uint32_t most = 10;
        std::mt19937_64 random(7);
        SimUsage usage;
        std::deque<WallTime> taken;
        WallTime at = start + 123ms;
        int refused = 0;
        for (int i = 0; i < 20'000; ++i) {
            at += std::chrono::milliseconds(random() %
                                            static_cast<std::uint64_t>(row.step_max.count()));
            const auto wait = take(usage, limit(row.window, most), at);
            if (wait) {
                ++refused;
                CHECK(wait->window == row.window);
                CHECK(wait->until > at);
                CHECK(wait->until <= at + row.length + row.length / 60);
                at = wait->until;  // and then there is room
                REQUIRE_FALSE(take(usage, limit(row.window, most), at));
            }
            taken.push_back(at);
            while (taken.front() <= at - row.length) {
                taken.pop_front();
            }
            REQUIRE(taken.size() <= most);
        }
        CHECK(refused > 100);
    }
}

TEST_CASE("SimUsage: days and months begin again with their calendar") {
    SimUsage usage;
    const auto day = limit(QuotaWindow::day, 2);
    CHECK_FALSE(take(usage, day, start));
    CHECK_FALSE(take(usage, day, start + 23h));
    const auto wait = take(usage, day, start + 23h + 59min);
    REQUIRE(wait);
    CHECK(wait->until == start + 24h);
    CHECK_FALSE(take(usage, day, start + 24h));
    const auto month = limit(QuotaWindow::month, 1);
    CHECK(usage.used(QuotaWindow::month) == 1);  // February
    const auto long_wait = take(usage, month, start + 25h);
    REQUIRE(long_wait);
    CHECK(long_wait->until == start + std::chrono::days(29));
}

TEST_CASE("SimUsage: the window that lasts longest is the one that is named") {
    QuotaLimits limits = limit(QuotaWindow::minute, 1);
    limits.by_window.at(static_cast<std::size_t>(QuotaWindow::day)) = 1;
    SimUsage usage;
    CHECK_FALSE(take(usage, limits, start));
    CHECK(take(usage, limits, start + 1s)->window == QuotaWindow::day);
}

TEST_CASE("SimUsage: a long message needs room for all its segments") {
    SimUsage usage;
    const auto limits = limit(QuotaWindow::day, 5);
    CHECK_FALSE(take(usage, limits, start, 3));
    CHECK(take(usage, limits, start, 3));
    CHECK_FALSE(take(usage, limits, start, 2));
}

TEST_CASE("SimUsage: a message longer than a limit goes when the window is empty") {
    SimUsage usage;
    const auto limits = limit(QuotaWindow::minute, 2);
    CHECK_FALSE(take(usage, limits, start));
    const auto wait = take(usage, limits, start + 5s, 3);
    REQUIRE(wait);
    CHECK_FALSE(take(usage, limits, wait->until, 3));
}

TEST_CASE("SimUsage: recipients count only where they are new") {
    SimUsage usage;
    const auto limits = limit(QuotaWindow::recipients, 1);
    CHECK_FALSE(take(usage, limits, start, 1, true));
    CHECK_FALSE(take(usage, limits, start, 1, false));
    CHECK(take(usage, limits, start, 1, true)->window == QuotaWindow::recipients);
    CHECK_FALSE(take(usage, limits, start + 24h, 1, true));  // the next month
}

TEST_CASE("SimUsage: a clock that goes back frees nothing, and does not block for long") {
    QuotaLimits limits = limit(QuotaWindow::minute, 2);
    limits.by_window.at(static_cast<std::size_t>(QuotaWindow::day)) = 3;
    SimUsage usage;
    CHECK_FALSE(take(usage, limits, start));
    CHECK_FALSE(take(usage, limits, start));
    const WallTime earlier = start - std::chrono::days(1000);
    const auto wait = take(usage, limits, earlier);
    REQUIRE(wait);
    CHECK(wait->until <= earlier + 62s);
    CHECK_FALSE(take(usage, limits, wait->until));
    CHECK(take(usage, limits, wait->until)->window == QuotaWindow::day);
}

TEST_CASE("SimUsage: what is taken back was never there") {
    SimUsage usage;
    QuotaLimits limits = limit(QuotaWindow::hour, 1);
    limits.by_window.at(static_cast<std::size_t>(QuotaWindow::recipients)) = 1;
    CHECK_FALSE(take(usage, limits, start, 1, true));
    usage.take_back(1, true);
    CHECK_FALSE(take(usage, limits, start, 1, true));
    CHECK(take(usage, limits, start, 1, true));
}

TEST_CASE("SimUsage: what was counted is as old as it was, however the clock is set") {
    for (const std::chrono::milliseconds by :
         {std::chrono::milliseconds(3h), std::chrono::milliseconds(-3h),
          std::chrono::milliseconds(-30 * 24h), std::chrono::milliseconds(11s),
          std::chrono::milliseconds(3h) - 1ms, std::chrono::milliseconds(-11s) - 1ms}) {
        CAPTURE(by.count());
        const QuotaLimits limits = limit(QuotaWindow::hour, 3);
        SimUsage usage;
        for (int i = 0; i < 3; ++i) {
            REQUIRE_FALSE(take(usage, limits, start + i * 10min));
        }
        const WallTime set = start + 30min;
        usage.move({.after = start - 1h, .until = set, .by = by});
        const auto wait = take(usage, limits, set + by);
        REQUIRE(wait);
        CHECK(wait->until - (set + by) >= 30min);
        CHECK(wait->until - (set + by) <= 32min);
        CHECK_FALSE(take(usage, limits, set + by + 32min));
        CHECK(take(usage, limits, set + by + 32min));
    }
}

TEST_CASE("SimUsage: what a clock ahead of time has counted before is taken as sent just now") {
    const QuotaLimits limits = limit(QuotaWindow::hour, 1);
    SimUsage usage;
    REQUIRE_FALSE(take(usage, limits, start));
    usage.move({.after = start + 1min, .until = start + 2min, .by = -24h});
    CHECK(take(usage, limits, start - 24h + 2min));
    CHECK_FALSE(take(usage, limits, start - 24h + 64min));
}

TEST_CASE("SimUsage: what was counted elsewhere counts in each window, and leaves it in time") {
    SimUsage own;
    SimUsage other;
    const auto day_limit = limit(QuotaWindow::day, 100);
    for (int i = 0; i < 3; ++i) {
        REQUIRE_FALSE(take(own, day_limit, start + 50s));
    }
    REQUIRE_FALSE(take(other, day_limit, start + 10s));
    REQUIRE_FALSE(take(other, day_limit, start + 40s, 4));

    SimUsage all = own;
    all.add(other);
    CHECK(all.used(QuotaWindow::minute) == 8);
    CHECK(all.used(QuotaWindow::hour) == 8);
    CHECK(all.used(QuotaWindow::day) == 8);
    CHECK(all.used(QuotaWindow::month) == 8);
    all.turn(start + 75s, TimeZone{}.span_of(start));
    CHECK(all.used(QuotaWindow::minute) == 7);

    // The next month begins on the other box first.
    REQUIRE_FALSE(take(other, day_limit, start + 25h));
    SimUsage later = own;
    later.add(other);
    CHECK(later.used(QuotaWindow::month) == 1);
    CHECK(later.used(QuotaWindow::day) == 1);
    SimUsage reversed = other;
    reversed.add(own);
    CHECK(reversed.used(QuotaWindow::month) == 1);
    CHECK(reversed.used(QuotaWindow::minute) == 1);
}
