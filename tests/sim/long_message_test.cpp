#include "tests/sim/world.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("rack: a long message goes out in one run on one line") {
    test::World world({.modems = 2, .service = 100ms});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send("+33612345678", std::string(400, 'x'));
    CHECK(world.run(20s, [&] { return world.state(id) == MessageState::delivered; }));
    REQUIRE(world.modems.journal.submits.size() == 3);
    CHECK(world.modems.journal.submits[0].modem == world.modems.journal.submits[2].modem);
}
