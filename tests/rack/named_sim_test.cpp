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
