// In which order the checkers hear of what happened.
#include "tests/days/watch.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("Watch: after a restart, what the modems had is heard before what was said of it") {
    test::World world{{}};
    days::Watch watch(world, {}, "truth");
    REQUIRE(world.run_until_ready());
    const std::string to = "+33600000001";
    watch.asked(to, "hello");
    const MessageId id = world.send({.to = to, .text = "hello", .report = true});
    watch.accepted({.id = id, .to = to, .level = 0});
    // No look until the process ends: its last events are then read from the database.
    REQUIRE(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
    world.crash_and_restart();
    watch.look_after_restart("killed; the next process begins");
    REQUIRE(world.run_until_ready());
    CHECK_NOTHROW(watch.look_when_settled());
}
