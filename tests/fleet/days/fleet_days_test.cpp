// A fleet in simulated time, with the faults of boxes, links and the engine.
#include "tests/fleet/days/fleet_days.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

using namespace smsrack;
using test::FleetCount;

TEST_CASE("fleet: whatever fails, each accepted message is sent once or called doubtful") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        CAPTURE(seed);
        auto result = test::live_fleet({.seed = seed});
        CHECK(result.violation == "");
        for (const std::string& line : result.story) {
            MESSAGE(line);
        }
        CHECK(result.totals[FleetCount::accepted] > 1'000);
        CHECK(result.totals[FleetCount::by_others] > 0);
        CHECK(result.totals[FleetCount::answered] > 10);
    }
}

TEST_CASE("fleet: the same seed gives the same hours, another one does not") {
    const test::FleetOptions few{.seed = 7, .messages = 300, .faults = 30, .kills = 6};
    const auto first = test::live_fleet(few);
    CHECK(first.fingerprint == test::live_fleet(few).fingerprint);
    CHECK(first.fingerprint != test::live_fleet({.seed = 8, .messages = 300}).fingerprint);
}
