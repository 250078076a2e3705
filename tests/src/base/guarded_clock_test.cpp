#include "src/base/guarded_clock.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("GuardedClock: a clock that is not behind is believed") {
    test::ManualClock real;
    GuardedClock clock(real, 1h);
    for (const auto newest : {-24h, 0h}) {
        clock.not_before(real.wall() + newest);
        CHECK_FALSE(clock.waits());
        CHECK(clock.wall() == real.wall());
    }
    clock.not_before(real.wall() + 4min);  // a small step
    CHECK_FALSE(clock.waits());
}

TEST_CASE("GuardedClock: a clock behind the newest row is not: time continues from that row") {
    test::ManualClock real;
    const WallTime newest = real.wall();
    real.set_date(WallTime{});
    GuardedClock clock(real, 1h);
    clock.not_before(newest);
    REQUIRE(clock.waits());
    CHECK(clock.wall() == newest + 1ms);
    real.advance(10min);
    CHECK(clock.wall() == newest + 10min + 1ms);
    CHECK_FALSE(clock.correction());

    real.set_date(newest + 50h);  // it is set
    const auto move = clock.correction();
    REQUIRE(move);
    CHECK(move->after == newest);
    CHECK(move->until == newest + 10min + 1ms);
    CHECK(move->by == 50h - 10min - 1ms);
    CHECK(move->concerns(newest + 1ms));
    CHECK_FALSE(move->concerns(newest));
    CHECK(clock.waits());  // until its owner says so
    clock.believe(*move);
    CHECK_FALSE(clock.waits());
    CHECK(clock.wall() == newest + 50h);
}

TEST_CASE("GuardedClock: patience ends with a clock that goes, not with one that was never set") {
    for (const auto& [date, gives_up] :
         {std::pair{WallTime(std::chrono::sys_days(std::chrono::year(2025) / 6 / 1)), true},
          std::pair{WallTime{}, false}}) {
        test::ManualClock real;
        const WallTime newest = real.wall();
        real.set_date(date);
        GuardedClock clock(real, 1h);
        clock.not_before(newest);
        real.advance(59min);
        CHECK_FALSE(clock.correction());
        real.advance(1min);
        CHECK(clock.correction().has_value() == gives_up);
        if (gives_up) {
            CHECK(clock.correction()->by == date - newest - 1ms);
        }
    }
}

TEST_CASE("GuardedClock: a set clock is not visible, until its owner believes it") {
    for (const auto by : {std::chrono::milliseconds(500), std::chrono::milliseconds(-1s),
                          std::chrono::milliseconds(-3h), std::chrono::milliseconds(1h)}) {
        CAPTURE(by.count());
        test::ManualClock real;
        const WallTime begun = real.wall();
        const WallTime boot = begun - 1h;  // of the steady clock
        GuardedClock clock(real, 1h);
        real.advance(20min);
        CHECK_FALSE(clock.correction());
        real.set_date(real.wall() + by);
        CHECK(clock.wall() == begun + 20min);
        real.advance(2s);
        CHECK(clock.wall() == begun + 20min + 2s);
        CHECK_FALSE(clock.waits());

        const auto move = clock.correction();
        REQUIRE(move);
        CHECK(move->by == by);
        CHECK(move->concerns(boot));  // an earlier process may have dated it
        CHECK(move->concerns(begun + 20min + 2s));
        CHECK_FALSE(move->concerns(boot - 1ms));
        clock.believe(*move);
        CHECK(clock.wall() == begun + 20min + 2s + by);
        CHECK_FALSE(clock.correction());

        real.set_date(real.wall() + 1h);
        REQUIRE(clock.correction());
        CHECK(clock.correction()->after == boot + by - 1ms);
    }
}

TEST_CASE("GuardedClock: a suspend is time that has passed, and moves nothing") {
    test::ManualClock real;
    GuardedClock clock(real, 1h);
    real.advance(10min);
    const WallTime before = clock.wall();
    const SteadyTime steady = clock.steady();
    real.suspend(3h);
    CHECK(clock.steady() == steady);
    CHECK(clock.wall() == before + 3h);
    CHECK(clock.latest_wall() == before + 3h);
    CHECK_FALSE(clock.correction());
    real.set_date(real.wall() + 1h);  // set besides
    CHECK(clock.wall() == before + 3h);
    REQUIRE(clock.correction());
    CHECK(clock.correction()->by == 1h);
    CHECK(clock.correction()->after == before - 10min - 1h - 1ms);  // the boot
}

TEST_CASE("GuardedClock: a clock that is waited for advances while the machine is suspended") {
    test::ManualClock real;
    const WallTime newest = real.wall();
    real.set_date(WallTime{});
    GuardedClock clock(real, 1h);
    clock.not_before(newest);
    real.suspend(3h);
    CHECK(clock.wall() == newest + 3h + 1ms);
    CHECK(clock.latest_wall() == clock.wall());
    real.set_date(newest + 50h);
    CHECK(clock.latest_wall() == clock.wall());
    REQUIRE(clock.correction());
    CHECK_FALSE(clock.correction()->may_be_pause);  // it was wrong, that is known
}

TEST_CASE("GuardedClock: a step forward may be a pause of the machine, one back is none") {
    for (const auto& [by, may_be] : {std::pair{std::chrono::milliseconds(3h), true},
                                     std::pair{std::chrono::milliseconds(-3h), false}}) {
        CAPTURE(by.count());
        test::ManualClock real;
        GuardedClock clock(real, 1h);
        const WallTime now = clock.wall();
        real.set_date(now + by);
        CHECK(clock.wall() == now);
        CHECK(clock.latest_wall() == std::max(now, now + by));
        REQUIRE(clock.correction());
        CHECK(clock.correction()->may_be_pause == may_be);
    }
}

TEST_CASE("ClockMove: what may be a pause gives no message with a short life more time") {
    const WallTime now{1'000h};
    const ClockMove set{.after = now - 1h, .until = now, .by = 3h};
    ClockMove pause = set;
    pause.may_be_pause = true;
    for (const auto& [life, moved] : {std::pair{std::chrono::milliseconds(1min), false},
                                      std::pair{std::chrono::milliseconds(10min - 1ms), false},
                                      std::pair{std::chrono::milliseconds(10min), true}}) {
        CAPTURE(life.count());
        CHECK(set.concerns(now, now + life));
        CHECK(pause.concerns(now, now + life) == moved);
        CHECK_FALSE(set.concerns(now + 1ms, now + life));
    }
}

TEST_CASE("GuardedClock: a clock that drifts, or is set by less than half a second, is followed") {
    test::ManualClock real;
    GuardedClock clock(real, 1h);
    for (int i = 0; i < 10; ++i) {
        real.advance(1min);
        real.set_date(real.wall() + 499ms);
        CHECK_FALSE(clock.correction());
        CHECK(clock.wall() == real.wall());
    }
    CHECK(clock.followed() >= 4s);
}

TEST_CASE("GuardedClock: a later process of the same boot sees that the clock was set before it") {
    for (const auto by : {std::chrono::milliseconds(500), std::chrono::milliseconds(3h),
                          std::chrono::milliseconds(-3h)}) {
        CAPTURE(by.count());
        test::ManualClock real;
        const Reckoning earlier = GuardedClock(real, 1h).reckoning();
        const WallTime boot = real.wall() - 1h;  // of the steady clock
        real.advance(20min);
        const WallTime newest = real.wall();
        real.set_date(newest + by);
        GuardedClock clock(real, 1h);
        clock.not_before(newest, earlier);
        CHECK_FALSE(clock.waits());
        CHECK(clock.wall() == newest);
        const auto move = clock.correction();
        REQUIRE(move);
        CHECK(move->by == by);
        CHECK(move->after == boot - 1ms);
        CHECK(move->until == newest);
        CHECK(move->may_be_pause == (by > 0ms));
        clock.believe(*move);
        CHECK(clock.wall() == newest + by);
        CHECK(clock.reckoning() == earlier.moved(by));
    }
}

TEST_CASE(
    "GuardedClock: a later process of the same boot corrects nothing if the clock was not set") {
    test::ManualClock real;
    GuardedClock first(real, 1h);
    real.set_date(real.wall() + 400ms);  // slewed
    REQUIRE(first.wall() == real.wall());
    GuardedClock clock(real, 1h);
    real.suspend(3h);
    clock.not_before(first.wall(), first.reckoning());
    CHECK(clock.wall() == real.wall());
    CHECK_FALSE(clock.correction());
    CHECK(clock.reckoning() == first.reckoning());
}

TEST_CASE(
    "GuardedClock: a later process of the same boot continues to wait, from the same row on") {
    test::ManualClock real;
    const WallTime newest = real.wall();
    real.set_date(WallTime{});
    GuardedClock first(real, 1h);
    first.not_before(newest);
    real.advance(10min);
    GuardedClock clock(real, 1h);
    clock.not_before(newest + 5min, first.reckoning());
    CHECK(clock.waits());
    CHECK(clock.wall() == newest + 10min + 1ms);
    CHECK_FALSE(clock.correction());
    real.set_date(newest + 50h);
    REQUIRE(clock.correction());
    CHECK(clock.correction()->after == newest);
    CHECK(clock.correction()->by == 50h - 10min - 1ms);
}

TEST_CASE("GuardedClock: a row that is later than the earlier process allows makes it wait") {
    test::ManualClock real;
    const Reckoning earlier = GuardedClock(real, 1h).reckoning();
    GuardedClock clock(real, 1h);
    clock.not_before(real.wall() + 6min, earlier);
    CHECK(clock.waits());
}
