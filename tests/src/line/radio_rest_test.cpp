#include "src/line/radio_rest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

using namespace smsrack;
using namespace smsrack::line;
using namespace std::chrono_literals;

namespace {

using Want = RadioRest::Want;

SteadyTime sec(std::chrono::seconds time) {
    return SteadyTime(time);
}

RadioRest resting() {
    return RadioRest({.radio_off = true, .listen = 900s, .awake = 30s});
}

/// Parked at 0, quiet at 30, told to sleep then.
RadioRest asleep() {
    RadioRest rest = resting();
    rest.ready(sec(0s));
    rest.park(true, true, sec(0s));
    REQUIRE(rest.step(sec(30s)) == Want::ask);
    rest.answered(false, sec(30s));
    REQUIRE(rest.step(sec(30s)) == Want::sleep);
    rest.slept(sec(31s));
    REQUIRE(rest.state() == RestState::asleep);
    return rest;
}

}  // namespace

TEST_CASE("RadioRest: each pair of state and event is in the table once, or changes nothing") {
    for (auto state = 0; state <= static_cast<int>(RestState::asleep); ++state) {
        for (auto event = 0; event <= static_cast<int>(RestEvent::due); ++event) {
            CAPTURE(state);
            CAPTURE(event);
            const auto rows = std::ranges::count_if(rest_rules, [&](const auto& rule) {
                return static_cast<int>(rule.from) == state && static_cast<int>(rule.on) == event;
            });
            CHECK(rows <= 1);
        }
    }
}

TEST_CASE("RadioRest: only a line that listens can be quiet, and only one that asks is answered") {
    for (auto state = 0; state <= static_cast<int>(RestState::asleep); ++state) {
        const auto from = static_cast<RestState>(state);
        CHECK(next(rest_rules, from, RestEvent::quiet).has_value() ==
              (from == RestState::listening));
        CHECK(next(rest_rules, from, RestEvent::nothing_expected).has_value() ==
              (from == RestState::asking));
    }
}

TEST_CASE("RadioRest: from every state the line can be unparked") {
    for (const auto state :
         {RestState::listening, RestState::asking, RestState::falling, RestState::asleep}) {
        CHECK(next(rest_rules, state, RestEvent::unparked) == RestState::off_duty);
    }
}

TEST_CASE(
    "RadioRest: it is asked only when nothing has come for awake_s, and sleeps only on a no") {
    RadioRest rest = resting();
    rest.ready(sec(0s));
    CHECK(rest.deadline() == never);
    rest.park(true, true, sec(10s));
    CHECK(rest.deadline() == sec(40s));
    rest.heard(sec(20s));
    CHECK(rest.step(sec(40s)) == Want::nothing);
    CHECK(rest.step(sec(50s)) == Want::ask);
    CHECK(rest.step(sec(51s)) == Want::nothing);  // once
    rest.answered(true, sec(52s));
    CHECK(rest.deadline() == sec(82s));
    CHECK(rest.step(sec(82s)) == Want::ask);
    rest.heard(sec(83s));            // while the store was asked
    rest.answered(false, sec(84s));  // too late: it holds for what was
    CHECK(rest.state() == RestState::listening);
    CHECK(rest.step(sec(113s)) == Want::ask);
    rest.answered(false, sec(113s));
    CHECK(rest.step(sec(113s)) == Want::sleep);
}

TEST_CASE("RadioRest: asleep it listens after listen_s, and again awake_s after it can hear") {
    RadioRest rest = asleep();
    CHECK(rest.listens_at() == sec(931s));
    CHECK(rest.step(sec(930s)) == Want::nothing);
    CHECK(rest.step(sec(931s)) == Want::wake);
    CHECK_FALSE(rest.listens_at());
    CHECK(rest.deadline() == never);  // however long the network takes
    rest.lost(sec(932s));
    rest.ready(sec(950s));
    CHECK(rest.deadline() == sec(980s));
}

TEST_CASE("RadioRest: what ends a sleep or the way to it switches the radio on") {
    RadioRest unparked = asleep();
    unparked.park(false, false, sec(40s));
    CHECK(unparked.step(sec(40s)) == Want::wake);
    RadioRest wanted = asleep();
    wanted.stay_awake(sec(100s), sec(40s));
    CHECK(wanted.step(sec(40s)) == Want::wake);
    wanted.ready(sec(50s));
    CHECK(wanted.deadline() == sec(100s));
    RadioRest gone = asleep();
    gone.lost(sec(40s));
    CHECK(gone.step(sec(40s)) == Want::wake);

    RadioRest falling = resting();
    falling.ready(sec(0s));
    falling.park(true, true, sec(0s));
    (void)falling.step(sec(30s));
    falling.answered(false, sec(30s));
    REQUIRE(falling.step(sec(30s)) == Want::sleep);
    falling.heard(sec(31s));
    CHECK(falling.step(sec(31s)) == Want::wake);
    CHECK(falling.deadline() == sec(61s));
}

TEST_CASE("RadioRest: it is switched on although more comes before that is done") {
    struct Case {
        const char* what;
        void (*comes)(RadioRest& rest);
    };
    for (const Case& c : {Case{"soon wanted, then unparked",
                               [](RadioRest& rest) {
                                   rest.stay_awake(sec(200s), sec(100s));
                                   rest.park(false, false, sec(100s));
                               }},
                          Case{"unparked, then parked again", [](RadioRest& rest) {
                                   rest.park(false, false, sec(100s));
                                   rest.park(true, false, sec(100s));
                               }}}) {
        CAPTURE(c.what);
        RadioRest rest = asleep();
        c.comes(rest);
        CHECK(rest.step(sec(100s)) == Want::wake);
        CHECK(rest.step(sec(100s)) == Want::nothing);
    }
}

TEST_CASE("RadioRest: a modem that refuses is not asked again before listen_s") {
    RadioRest rest = resting();
    rest.ready(sec(0s));
    rest.park(true, true, sec(0s));
    (void)rest.step(sec(30s));
    rest.answered(false, sec(30s));
    REQUIRE(rest.step(sec(30s)) == Want::sleep);
    rest.ready(sec(35s));
    CHECK(rest.step(sec(36s)) == Want::wake);
    CHECK(rest.deadline() == sec(935s));
}

TEST_CASE("RadioRest: without radio_off a parked line never rests") {
    RadioRest rest({.radio_off = false});
    rest.ready(sec(0s));
    rest.park(true, true, sec(0s));
    CHECK(rest.deadline() == never);
    CHECK(rest.step(sec(10'000s)) == Want::nothing);
}
