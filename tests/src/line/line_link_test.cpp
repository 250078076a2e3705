#include "src/line/line_link.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace smsrack;
using namespace std::chrono_literals;
using line::LineLink;

namespace {

constexpr SteadyTime start = SteadyTime{} + 1h;

}  // namespace

TEST_CASE(
    "LineLink: a link stops once when it has been lost for too long, however often that is said") {
    LineLink link(30s);
    CHECK_FALSE(link.stops(start + 24h));
    link.lost(start);
    link.lost(start + 20s);
    CHECK(link.stop_at() == start + 30s);
    CHECK_FALSE(link.stops(start + 30s - 1ns));
    CHECK(link.stops(start + 30s));
    CHECK_FALSE(link.stops(start + 31s));
    link.lost(start + 40s);
    CHECK(link.stop_at() == start + 70s);
}

TEST_CASE("LineLink: one that is ready again, or asleep, does not stop") {
    LineLink ready(30s);
    ready.lost(start);
    CHECK_FALSE(ready.ready(start + 10s));  // its radio was not switched on
    CHECK_FALSE(ready.stops(start + 24h));
    LineLink asleep(30s);
    asleep.lost(start);
    asleep.asleep();
    CHECK(asleep.stop_at() == never);
}

TEST_CASE("LineLink: it is waking from when its radio is switched on until it is ready") {
    LineLink link(30s);
    CHECK_FALSE(link.is_waking());
    link.wakes(start);
    link.lost(start + 1s);
    CHECK(link.is_waking());
    CHECK(link.ready(start + 12s) == 12s);
    CHECK_FALSE(link.is_waking());
    CHECK_FALSE(link.ready(start + 20s));
}
