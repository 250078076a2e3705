// A client names the SIM that shall send, by its number.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

intake::SubmitRequest message_from(unsigned modem, int i) {
    return {.to = "+3361234" + std::to_string(5000 + i),
            .text = "hello " + std::to_string(i),
            .from = modem_sim::make_identity(modem).number};
}

std::multiset<unsigned> modems_of(const test::World& world) {
    std::multiset<unsigned> modems;
    for (const auto& submit : world.modems.journal.submits) {
        modems.insert(static_cast<unsigned>(submit.modem));
    }
    return modems;
}

}  // namespace

TEST_CASE(
    "named SIM: it sends all that name it, also after a power cut, and others send the rest") {
    test::World world({.modems = 3, .service = 500ms});
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> ids;
    for (int i = 0; i < 10; ++i) {
        ids.push_back(world.send(message_from(2, i)));
    }
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    // The one that was under way may have been sent.
    REQUIRE(world.run(10min, [&] {
        return std::ranges::all_of(ids, [&](MessageId id) {
            const MessageState state = world.state(id);
            return state == MessageState::delivered || state == MessageState::uncertain;
        });
    }));
    const auto modems = modems_of(world);
    CHECK(modems.size() + 1 >= ids.size());
    CHECK(modems.count(2) == modems.size());
    const SteadyTime begin = world.clock.steady();
    (void)world.send(message_from(2, 11));
    const MessageId other = world.send("+33612340000", "any");
    REQUIRE(world.run(1min, [&] { return world.state(other) == MessageState::delivered; }));
    CHECK(world.clock.steady() - begin < 10s);
}

TEST_CASE("named SIM: where it cannot send, another one does after a minute") {
    test::World world({.modems = 2, .service = 500ms});
    REQUIRE(world.run_until_ready());
    (void)world.gate("m1", ports::GateOrder::drain);
    const MessageId id = world.send(message_from(1, 0));
    world.run_for(50s);
    CHECK(world.state(id) == MessageState::queued);
    REQUIRE(world.run(30s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(modems_of(world) == std::multiset<unsigned>{0});
    (void)world.gate("m1", ports::GateOrder::resume);
    const MessageId next = world.send(message_from(1, 1));
    REQUIRE(world.run(30s, [&] { return world.state(next) == MessageState::delivered; }));
    CHECK(modems_of(world) == std::multiset<unsigned>{0, 1});
}

TEST_CASE("named SIM: what waits for it keeps no other message from the free lines") {
    test::World world({.modems = 3, .service = 2s});
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> named;
    for (int i = 0; i < 60; ++i) {
        named.push_back(world.send(message_from(2, i)));
    }
    world.run_for(3s);
    std::vector<MessageId> others;
    for (int i = 0; i < 6; ++i) {
        others.push_back(world.send("+3361239990" + std::to_string(i), "any"));
    }
    CHECK(world.run(15s, [&] { return world.all_are(others, MessageState::delivered); }));
    REQUIRE(world.run(10min, [&] { return world.all_are(named, MessageState::delivered); }));
    CHECK(modems_of(world).count(2) == 60);
    const auto took =
        world.modems.journal.submits.back().at - world.modems.journal.submits.front().at;
    CHECK(took < 60 * 2s + 40s);  // its line was hardly idle
}

TEST_CASE("named SIM: a short absence of it moves none of a long backlog to others") {
    test::World world({.modems = 2, .service = 4s});
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> ids;
    for (int i = 0; i < 40; ++i) {
        ids.push_back(world.send(message_from(1, i)));
    }
    world.run_for(100s);
    (void)world.gate("m1", ports::GateOrder::drain);
    world.run_for(20s);
    (void)world.gate("m1", ports::GateOrder::resume);
    REQUIRE(world.run(10min, [&] { return world.all_are(ids, MessageState::delivered); }));
    CHECK(modems_of(world).count(0) == 0);
}

TEST_CASE("named SIM: after a start, a ref has its first answer before the modem is ready") {
    test::World world({.modems = 2, .service = 4s});
    REQUIRE(world.run_until_ready());
    (void)world.send(message_from(0, 1));
    intake::SubmitRequest request = message_from(1, 2);
    request.ref = "r1";
    const MessageId id = world.send(request);
    world.crash_and_restart();
    const auto again = world.ask(request);
    REQUIRE(again);
    CHECK(again->id == id);
    request.ref = "r2";
    const auto fresh = world.ask(request);
    REQUIRE_FALSE(fresh);
    CHECK(fresh.error().code == Errc::overloaded);
}
