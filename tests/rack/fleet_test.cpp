// A message that the boxes of a fleet share: one rack begins it when it is firm, and never otherwise.
#include "src/base/box_ids.hpp"
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::string number(int i) {
    return "+336120" + std::to_string(10'000 + i);
}

std::vector<MessageId> send(test::World& world, int count) {
    std::vector<MessageId> ids;
    for (int i = 0; i < count; ++i) {
        ids.push_back(world.send(number(i), "hello"));
    }
    return ids;
}

std::size_t submits(const test::World& world) {
    return world.modems.journal.submits.size();
}

}  // namespace

TEST_CASE("fleet: a free modem begins nothing that is not firm, and each firm message once") {
    test::World world({.modems = 2, .service = 200ms, .box = box_number_max});
    REQUIRE(world.run_until_ready());
    const auto ids = send(world, 10);
    CHECK(number_of_box(ids[0]) == BoxNumber{box_number_max});
    world.run_for(30s);
    CHECK(submits(world) == 0);
    CHECK(world.all_are(ids, MessageState::elsewhere));
    const std::vector firm(ids.begin(), ids.begin() + 5);
    CHECK(world.make_firm(firm) == firm);
    CHECK(world.run(30s, [&] { return world.all_are(firm, MessageState::delivered); }));
    world.run_for(30s);
    CHECK(submits(world) == 5);
    CHECK(world.make_firm(firm).empty());  // they have ended
}

TEST_CASE("fleet: at any moment before it is begun a message can be lent, and then is not begun") {
    std::size_t lent_ones = 0;
    for (int turns = 0; turns < 60; ++turns) {
        CAPTURE(turns);
        test::World world({.modems = 1, .service = 300ms, .box = 3});
        REQUIRE(world.run_until_ready());
        const auto ids = send(world, 2);
        REQUIRE(world.make_firm(ids).size() == 2);
        world.run_turns(static_cast<std::size_t>(turns) * 20);
        const bool is_lent = !world.lend({ids[1]}).empty();
        lent_ones += is_lent ? 1 : 0;
        world.run_for(30s);
        CHECK(world.state(ids[0]) == MessageState::delivered);
        CHECK(submits(world) == (is_lent ? 1 : 2));
        CHECK(world.state(ids[1]) == (is_lent ? MessageState::elsewhere : MessageState::delivered));
        if (is_lent) {  // no event but that of the lending
            CHECK(world.detail(ids[1]).history.back().state == MessageState::elsewhere);
            REQUIRE(world.make_firm({ids[1]}).size() == 1);
            CHECK(world.run(30s, [&] { return world.state(ids[1]) == MessageState::delivered; }));
            CHECK(submits(world) == 2);
        }
    }
    CHECK(lent_ones > 0);
    CHECK(lent_ones < 60);
}

TEST_CASE("fleet: lent and firm again while it waits in memory, a message goes out once") {
    test::World world({.modems = 1, .service = 200ms, .box = 3});
    REQUIRE(world.run_until_ready());
    const auto ids = send(world, 60);
    REQUIRE(world.make_firm(ids).size() == 60);
    world.run_for(1s);
    const std::vector last(ids.begin() + 40, ids.end());
    REQUIRE(world.lend(last) == last);
    REQUIRE(world.make_firm(last) == last);
    CHECK(world.run(120s, [&] { return world.all_are(ids, MessageState::delivered); }));
    CHECK(submits(world) == 60);
}

TEST_CASE("fleet: after a restart the firm ones are sent, and the others still wait") {
    test::World world({.modems = 1, .service = 200ms, .box = 3});
    REQUIRE(world.run_until_ready());
    const auto ids = send(world, 6);
    const std::vector firm(ids.begin(), ids.begin() + 3);
    const std::vector others(ids.begin() + 3, ids.end());
    REQUIRE(world.make_firm(firm) == firm);
    world.crash_and_restart();
    CHECK(world.run(60s, [&] {
        return world.all_are(firm, [](MessageState state) {
            return state == MessageState::delivered || state == MessageState::uncertain;
        });
    }));
    world.run_for(10s);
    CHECK(world.all_are(others, MessageState::elsewhere));
    CHECK(submits(world) <= 3);
}

TEST_CASE(
    "fleet: a box that has been alone for too long begins nothing shared, and then continues") {
    test::World world({.modems = 2, .service = 200ms, .box = 3});
    REQUIRE(world.run_until_ready());
    const auto ids = send(world, 20);
    REQUIRE(world.make_firm(ids).size() == 20);
    world.run_for(1s);
    world.may_begin_shared = false;
    world.run_for(2s);
    const std::size_t before = submits(world);
    CHECK(before < 20);
    world.run_for(60s);
    CHECK(submits(world) == before);
    world.may_begin_shared = true;
    CHECK(world.run(60s, [&] { return world.all_are(ids, MessageState::delivered); }));
    CHECK(submits(world) == 20);
}
