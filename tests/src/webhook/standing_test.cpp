#include "src/webhook/standing.hpp"

#include "src/webhook/retry.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::webhook;
using namespace std::chrono_literals;

TEST_CASE("Standing: a pause lasts as long as was asked, and a shorter one does not cut it") {
    test::ManualClock clock;
    test::SeededRandom random{1};
    Standing standing(clock, random);
    CHECK_FALSE(standing.pause_end());
    standing.pause(30s);
    standing.pause(10s);
    CHECK(standing.is_paused(clock.steady() + 29s));
    CHECK_FALSE(standing.is_paused(clock.steady() + 30s));
    CHECK(standing.pause_left() == 30s);
    CHECK(standing.pause_end() == clock.wall() + 30s);
    standing.end_pauses();
    CHECK_FALSE(standing.is_paused(clock.steady()));
}

TEST_CASE("Standing: a pause of the row continues, and for an hour at most") {
    test::ManualClock clock;
    test::SeededRandom random{1};
    Standing standing(clock, random);
    standing.begin({.paused_until = clock.wall() + 10min});
    CHECK(standing.pause_left() == 10min);
    Standing set_back(clock, random);
    set_back.begin({.paused_until = clock.wall() + 24h});
    CHECK(set_back.pause_left() == retry_after_max);
}

TEST_CASE("Standing: while it fails, something new is tried after each pause only") {
    test::ManualClock clock;
    test::SeededRandom random{1};
    Standing standing(clock, random);
    CHECK(standing.may_try_fresh(clock.steady()));
    CHECK(standing.take_over({.state = State::failing}));
    CHECK_FALSE(standing.take_over({.state = State::failing, .failures = 6}));
    CHECK_FALSE(standing.may_try_fresh(clock.steady()));
    clock.advance(Standing::fresh_pause * 2);
    CHECK(standing.may_try_fresh(clock.steady()));
    standing.tried_fresh();
    CHECK_FALSE(standing.may_try_fresh(clock.steady()));
    CHECK(standing.take_over({}));
    CHECK(standing.may_try_fresh(clock.steady()));
}
