// A message that a policy elsewhere decided to send again, and that comes to the box which is in doubt of it.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("fleet: what a box takes and has begun before is firm, so that its own policy decides") {
    test::FewBoxes fleet(2, {.alone = 60s, .uncertain = 60s, .resend = true});
    fleet.run_for(10s);
    const auto id = fleet.box(0).submit({.to = "+33612345678", .text = "hello", .life = 24h});
    REQUIRE(id);
    fleet.run_for(1s);
    REQUIRE(fleet.box(0).row(*id)->state == MessageState::sending);
    fleet.box(0).kill({});
    // So the other one decides, and takes nothing.
    fleet.engine.link(1).post(ports::SetLife{.seat = *fleet.box(1).desk().seat().seat(),
                                             .name = "box2",
                                             .life = ports::BoxLife::draining},
                              {});
    const auto row = [&]() -> const test::EngineState::Row& {
        return fleet.engine.state().messages().at(*id);
    };
    fleet.run_for(10min);
    REQUIRE(row().stage == ports::SharedStage::waiting);
    fleet.box(0).start();
    fleet.run_for(1min);
    CHECK(fleet.box(0).row(*id)->state == MessageState::uncertain);
    CHECK(row().stage == ports::SharedStage::firm);
    CHECK(row().seat.box == BoxNumber{1});
}
