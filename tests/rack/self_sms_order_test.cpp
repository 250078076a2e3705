// A message from one SIM of the rack to another, by order, in simulated time.
#include "src/sms/self_sms.hpp"
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

test::WorldSettings two_modems() {
    return {.modems = 2, .service = 5s, .numbers = 2};
}

MessageState state_of(test::World& world, MessageId id) {
    return world.detail(id).message.state;
}

}  // namespace

TEST_CASE("self-SMS by order: it needs no configuration, reaches the other SIM, and no client") {
    test::World world(two_modems());
    world.modems.forward_own(3s);
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(60s,
                      [&] { return world.rack().lines().at(1).link == ports::LinkState::active; }));
    const auto ordered = world.order_self_sms();
    REQUIRE(ordered);
    REQUIRE(
        world.run(60s, [&] { return state_of(world, ordered->id) == MessageState::delivered; }));
    REQUIRE(world.modems.journal.submits.size() == 1);
    const auto& submit = world.modems.journal.submits.front();
    CHECK(submit.to != modem_sim::make_identity(submit.modem).number);
    CHECK(world.inbox().empty());
    CHECK(world.events().empty() == false);  // of the lines
    for (const Event& event : world.events()) {
        CHECK(event.type != EventType::message_state);
        CHECK(event.type != EventType::message_received);
    }
    CHECK(world.stats().value(stats::Counter::self_sms_received) == 1);
    CHECK(world.stats().value(stats::Counter::inbound_messages) == 0);
    CHECK(world.messages() == 1);
}

TEST_CASE("self-SMS by order: what does not come in is undelivered with the next order") {
    test::World world(two_modems());
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(60s,
                      [&] { return world.rack().lines().at(1).link == ports::LinkState::active; }));
    const auto ordered = world.order_self_sms();
    REQUIRE(ordered);
    world.run_for(7min);
    CHECK(state_of(world, ordered->id) == MessageState::sent);
    REQUIRE(world.order_self_sms());
    CHECK(world.run(1s, [&] { return state_of(world, ordered->id) == MessageState::undelivered; }));
}

TEST_CASE("self-SMS by order: refused while the rack is paused, and nothing is sent") {
    test::World world(two_modems());
    REQUIRE(world.run_until_ready());
    REQUIRE(world.pause(ports::PauseScope::rack, ""));
    const auto refused = world.order_self_sms();
    REQUIRE(!refused);
    CHECK(refused.error().code == Errc::conflict);
    CHECK(refused.error().context.contains("the rack is paused"));
    CHECK(world.messages() == 0);
}
