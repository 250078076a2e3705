#include "firmware-host/health.hpp"

#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("Health: messages that starve while a line is free stop the watchdog's food") {
    test::QuietLog log;
    const SteadyTime now = SteadyTime{} + 1h;
    SteadyTime since = never;
    host::Health health(
        {}, [&] { return since; }, log);
    CHECK(health.check(now));
    since = now;
    CHECK(health.check(now + 60s));
    CHECK_FALSE(health.check(now + 61s));
    CHECK_FALSE(health.check(now + 70s));
    since = never;
    CHECK(health.check(now + 80s));
    CHECK(log.count("late") == 1);
    CHECK(log.count("no_longer_late") == 1);
}

TEST_CASE("Health: a busy rack starves no message, nor does one whose quotas are spent") {
    test::World world({.modems = 2, .service = 200ms, .modem_toml = "quota = { per_hour = 15 }"});
    REQUIRE(world.run_until_ready());
    for (int i = 0; i < 60; ++i) {
        world.send("+33612345678", "x");
    }
    SteadyTime::duration longest{0};
    for (int i = 0; i < 600; ++i) {
        world.run_for(200ms);
        const SteadyTime since = world.starves_since();
        longest = std::max(longest, since == never ? 0s : world.clock.steady() - since);
    }
    CHECK(longest < 1s);
    CHECK(world.modems.journal.submits.size() == 30);
}
