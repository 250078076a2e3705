// A whole rack that gets more than it can send, in simulated time.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <map>
#include <ranges>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::string number(int i) {
    return fmt::format("+3361{:07}", i);
}

test::WorldSettings two_modems() {
    return {.modems = 2,
            .service = 500ms,
            .toml = "[priority]\nsla_ms = [20000, 20000, 20000, 20000, 20000, 20000, 20000]\n"};
}

/// Until the rate is known.
void warm_up(test::World& world) {
    REQUIRE(world.run_until_ready());
    for (int i = 0; i < 8; ++i) {
        const MessageId id = world.send({.to = number(9'000 + i), .text = "x", .priority = 6});
        REQUIRE(world.run(10s, [&] { return world.state(id) == MessageState::delivered; }));
    }
}

}  // namespace

TEST_CASE(
    "overload: what is accepted is sent in time and once, what is refused never; the rest of the "
    "rack continues") {
    test::World world(two_modems());
    warm_up(world);
    std::map<std::string, MessageId> accepted;
    int refused = 0;
    for (int i = 0; i < 300; ++i) {  // more than four times what two modems send in this time
        const auto answer = world.ask({.to = number(i), .text = "x", .priority = 0});
        if (answer) {
            accepted[number(i)] = answer->id;
        } else {
            CHECK(answer.error().code == Errc::overloaded);
            CHECK(answer.error().retry_after);
            ++refused;
        }
        world.run_for(60ms);
    }
    CHECK(refused > 100);
    CHECK(accepted.size() > 60);
    CHECK(world.ask({.to = number(1'000), .text = "x", .priority = 6}));
    const auto values = accepted | std::views::values;
    const std::vector<MessageId> ids(values.begin(), values.end());
    CHECK(world.run(60s, [&] { return world.all_are(ids, MessageState::delivered); }));
    std::map<std::string, int> submits;
    for (const test::Submitted& submit : world.modems.journal.submits) {
        ++submits[submit.to];
    }
    for (int i = 0; i < 300; ++i) {
        CHECK(submits[number(i)] == (accepted.contains(number(i)) ? 1 : 0));
    }
    for (const auto& [to, id] : accepted) {
        const auto detail = world.detail(id);
        REQUIRE(detail.attempts.size() == 1);
        const auto took =
            detail.attempts[0].ended_at.value_or(WallTime::max()) - detail.message.created_at;
        CHECK(took <= 21s);
    }
}

TEST_CASE("overload: who comes back when told to is accepted") {
    test::World world(two_modems());
    warm_up(world);
    int i = 0;
    while (world.ask({.to = number(i), .text = "x"})) {
        ++i;
        REQUIRE(i < 1'000);
    }
    for (int polite = 0; polite < 10; ++polite) {
        const intake::SubmitRequest request{.to = number(2'000 + polite), .text = "y"};
        const auto first = world.ask(request);
        if (first) {
            continue;
        }
        world.run_for(*first.error().retry_after);
        CHECK(world.ask(request));
        while (world.ask({.to = number(++i), .text = "x"})) {  // others take what is free
        }
    }
}

TEST_CASE("overload: after a crash the door knows what is in the store") {
    test::World world(two_modems());
    warm_up(world);
    int i = 0;
    while (world.ask({.to = number(i), .text = "x"})) {
        ++i;
        REQUIRE(i < 1'000);
    }
    world.crash_and_restart();
    const auto answer = world.ask({.to = number(2'000), .text = "x"});
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code == Errc::overloaded);
    CHECK(world.ask({.to = number(2'001), .text = "x", .priority = 6}));
}

TEST_CASE(
    "overload: a message that was accepted before is answered as then, though others are refused") {
    test::World world(two_modems());
    warm_up(world);
    const intake::SubmitRequest known{.to = number(1), .text = "x", .ref = "order-1"};
    const auto first = world.ask(known);
    REQUIRE(first);
    int i = 10;
    while (world.ask({.to = number(i), .text = "x"})) {
        ++i;
        REQUIRE(i < 1'000);
    }
    const auto again = world.ask(known);
    REQUIRE(again);
    CHECK(again->id == first->id);
    CHECK(again->repeated);
}

TEST_CASE("overload: without protection all is accepted") {
    test::WorldSettings settings = two_modems();
    settings.toml += "protect = false\n";
    test::World world(settings);
    REQUIRE(world.run_until_ready());
    for (int i = 0; i < 200; ++i) {
        CHECK(world.ask({.to = number(i), .text = "x"}));
    }
}
