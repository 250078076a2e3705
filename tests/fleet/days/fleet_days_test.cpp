// A fleet in simulated time, with the faults of boxes, links and the engine.
#include "tests/fleet/days/fleet_days.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;

TEST_CASE("fleet: whatever fails, each accepted message is sent once or called doubtful") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        CAPTURE(seed);
        const auto result = test::live_fleet({.seed = seed});
        for (const std::string& what : result.wrong) {
            CAPTURE(what);
            CHECK(what.empty());
        }
        CHECK(result.accepted > 1'000);
        CHECK(result.sent > result.accepted * 9 / 10);
        CHECK(result.by_others > 0);
    }
}
