#include "src/stats/rate_window.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("RateWindow: a steady rate shows after a minute, and is gone a minute after its end") {
    stats::RateWindow window;
    SteadyTime now = SteadyTime{} + 1h;
    CHECK(window.per_second(now) == 0.0);
    for (int second = 0; second < 60; ++second) {
        window.add(now, 5);
        now += 1s;
    }
    CHECK(window.per_second(now) == doctest::Approx(5.0));
    now += 30s;
    CHECK(window.per_second(now) == doctest::Approx(2.5));
    now += 30s;
    CHECK(window.per_second(now) == 0.0);
}

TEST_CASE("RateWindow: a long silence empties it at once") {
    stats::RateWindow window;
    SteadyTime now = SteadyTime{} + 1h;
    window.add(now, 600);
    CHECK(window.per_second(now + 1s) == doctest::Approx(10.0));
    CHECK(window.per_second(now + 24h) == 0.0);
}
