#include "tests/rack/support/world.hpp"

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

TEST_CASE("rack: after a power cut the rest of a long message waits for its SIM to register") {
    for (const auto away : {20s, 90s}) {
        CAPTURE(away.count());
        test::World world({.modems = 2, .service = 100ms, .modem_toml = "pace_ms = 5000"});
        REQUIRE(world.run_until_ready());
        const MessageId id = world.send("+33612345678", std::string(400, 'x'));
        REQUIRE(world.run(20s, [&] { return world.modems.journal.submits.size() == 1; }));
        world.run_for(1s);  // the answer is written
        const unsigned modem = world.modems.journal.submits[0].modem;
        world.modems.modem(modem).inject(world.clock.steady(),
                                         {.kind = modem_sim::FaultKind::network_lost});
        world.crash_and_restart();
        world.run_for(away);
        CHECK(world.state(id) == MessageState::sending);
        world.modems.modem(modem).inject(world.clock.steady(),
                                         {.kind = modem_sim::FaultKind::network_back});
        CHECK(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
        REQUIRE(world.modems.journal.submits.size() == 3);
        CHECK(world.modems.journal.submits[2].modem == modem);
    }
}

TEST_CASE("rack: under the policy resend another SIM begins it again, and says so") {
    test::World world({.modems = 2,
                       .service = 100ms,
                       .toml = "[queue]\nuncertain = \"resend\"\n",
                       .modem_toml = "pace_ms = 5000"});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send("+33612345678", std::string(400, 'x'));
    REQUIRE(world.run(20s, [&] { return world.modems.journal.submits.size() == 1; }));
    world.run_for(1s);
    const unsigned modem = world.modems.journal.submits[0].modem;
    world.modems.modem(modem).inject(world.clock.steady(),
                                     {.kind = modem_sim::FaultKind::sim_removed});
    world.crash_and_restart();
    CHECK(world.run(6min, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(world.modems.journal.submits.size() == 4);  // one part, and then all by the other
    std::size_t told = 0;
    for (const Event& event : world.events()) {
        told += event.message == id && event.state == MessageState::sending &&
                        event.detail == "sim_lost"
                    ? 1
                    : 0;
    }
    CHECK(told == 1);
}

TEST_CASE("rack: a SIM that a power cut took for good does not hold a begun message for ever") {
    test::World world({.modems = 2, .service = 100ms, .modem_toml = "pace_ms = 5000"});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send("+33612345678", std::string(400, 'x'));
    REQUIRE(world.run(20s, [&] { return world.modems.journal.submits.size() == 1; }));
    world.run_for(1s);
    world.modems.modem(world.modems.journal.submits[0].modem)
        .inject(world.clock.steady(), {.kind = modem_sim::FaultKind::sim_removed});
    world.crash_and_restart();
    CHECK(world.run(6min, [&] { return world.state(id) == MessageState::failed; }));
    CHECK(world.detail(id).message.detail == "sim_lost");
}
