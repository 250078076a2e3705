// How long the engine knows what has ended: one box and the model of the engine, in simulated time.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("fleet: the engine knows what has ended for `known`, and then forgets it") {
    test::FewBoxes fleet(1, {.known = 1h});
    fleet.run_for(10s);
    const auto id = fleet.box(0).submit({.to = "+33612345678", .text = "hello", .life = 30min});
    REQUIRE(id);
    fleet.run_for(1min);
    const auto is_known = [&] { return fleet.engine.state().messages().contains(*id); };
    REQUIRE(fleet.box(0).row(*id)->state == MessageState::sent);
    REQUIRE(is_known());
    fleet.run_for(57min);
    CHECK(is_known());
    fleet.run_for(5min);
    CHECK_FALSE(is_known());
    CHECK(fleet.box(0).row(*id)->state == MessageState::sent);
}
