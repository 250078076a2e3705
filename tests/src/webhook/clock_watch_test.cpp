#include "src/webhook/clock_watch.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::webhook;
using namespace std::chrono_literals;

TEST_CASE("ClockWatch: a clock that is set is seen once, one that runs never") {
    test::ManualClock clock;
    ClockWatch watch;
    CHECK_FALSE(watch.was_set(clock));
    clock.advance(24h);
    CHECK_FALSE(watch.was_set(clock));
    for (const auto by : {-1h, 1h}) {
        clock.set_date(clock.wall() + by);
        CHECK(watch.was_set(clock));
        CHECK_FALSE(watch.was_set(clock));
    }
}
