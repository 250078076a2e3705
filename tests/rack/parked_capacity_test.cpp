// Overload protection and scaling on one rack, in simulated time: parked lines are capacity that comes when it is needed.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::GateOrder;
using ports::ManualState;

namespace {

constexpr auto promise = 60s;  // of level 6
constexpr auto service = 5s;

std::string number(int i) {
    return fmt::format("+3361{:07}", i);
}

std::size_t open_lines(const test::World& world) {
    const auto lines = world.rack().lines();
    return static_cast<std::size_t>(
        std::ranges::count(lines, ManualState::open, &ports::LineView::manual));
}

test::WorldSettings eight_lines(const std::string& more = {}) {
    return {.modems = 8,
            .service = service,
            .toml = "[scaling]\nenabled = true\nn_min = 3\nnode_rate = 0.2\n" + more};
}

/// The rate is measured, and all but three lines are parked.
void at_night(test::World& world) {
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> ids;
    for (int i = 0; i < 8; ++i) {
        ids.push_back(world.send({.to = number(9'000 + i), .text = "x", .priority = 6}));
    }
    REQUIRE(world.run(60s, [&] { return world.all_are(ids, MessageState::delivered); }));
    REQUIRE(world.run(3h, [&] { return open_lines(world) == 3; }));
    world.run_for(1min);
}

struct Outcome {
    std::vector<MessageId> accepted = {};
    int refused = 0;
    std::string last_refusal = {};
};

/// Urgent messages, one each `pause`.
Outcome ask_urgent(test::World& world, int count, std::chrono::milliseconds pause) {
    Outcome outcome;
    for (int i = 0; i < count; ++i) {
        const auto answer = world.ask({.to = number(i), .text = "x", .priority = 6});
        if (answer) {
            outcome.accepted.push_back(answer->id);
        } else {
            CHECK(answer.error().code == Errc::overloaded);
            ++outcome.refused;
            outcome.last_refusal = answer.error().context;
        }
        world.run_for(pause);
    }
    return outcome;
}

/// The network had each of them in time.
void check_kept(test::World& world, const Outcome& outcome) {
    REQUIRE(
        world.run(10min, [&] { return world.all_are(outcome.accepted, MessageState::delivered); }));
    for (const MessageId id : outcome.accepted) {
        const auto detail = world.detail(id);
        REQUIRE(detail.attempts.size() == 1);
        CHECK(detail.attempts[0].ended_at.value_or(WallTime::max()) - detail.message.created_at <=
              promise);
    }
}

}  // namespace

TEST_CASE("parked lines: a load that all lines carry is not refused while some are parked") {
    test::World world(eight_lines());
    at_night(world);
    const Outcome outcome = ask_urgent(world, 700, 860ms);  // eight lines carry one each 625 ms
    CAPTURE(outcome.last_refusal);
    CHECK(outcome.refused == 0);
    check_kept(world, outcome);
}

TEST_CASE("parked lines: a burst wakes as many as it needs, at once") {
    test::World world(eight_lines());
    at_night(world);
    Outcome outcome = ask_urgent(world, 10, 0ms);  // half of the promise is for 18 on three lines
    world.run_for(1s);
    CHECK(open_lines(world) == 3);
    const Outcome more = ask_urgent(world, 18, 0ms);
    world.run_for(1s);
    CHECK(open_lines(world) >= 5);
    CHECK(open_lines(world) < 8);
    CHECK(world.decisions().back().rules == "promise");
    const Outcome most = ask_urgent(world, 52, 0ms);
    world.run_for(1s);
    CHECK(open_lines(world) == 8);
    CHECK(outcome.refused + more.refused + most.refused == 0);
    outcome.accepted.insert(outcome.accepted.end(), most.accepted.begin(), most.accepted.end());
    check_kept(world, outcome);
}

TEST_CASE("parked lines: more than all lines can send in time is refused") {
    test::World world(eight_lines());
    at_night(world);
    const Outcome outcome = ask_urgent(world, 150, 0ms);
    CHECK(outcome.refused > 40);
    CHECK(outcome.accepted.size() > 80);
    CHECK(outcome.last_refusal.contains("for 8 modems"));
    check_kept(world, outcome);
}

TEST_CASE("parked lines: those whose radio is off count from when they can be ready") {
    test::World world(eight_lines("radio_off = true\nawake_s = 20\n"));
    at_night(world);
    REQUIRE(world.run(10min, [&] {
        const auto lines = world.rack().lines();
        return std::ranges::count_if(lines, [](const ports::LineView& line) {
                   return line.listens_at.has_value();
               }) == 5;
    }));
    const Outcome outcome = ask_urgent(world, 50, 0ms);  // 36 on three lines
    CAPTURE(outcome.last_refusal);
    CHECK(outcome.refused == 0);
    check_kept(world, outcome);
}

TEST_CASE("parked lines: n_max and what a person blocked bound what is woken") {
    test::World world(eight_lines("n_max = 4\n"));
    at_night(world);
    const auto lines = world.rack().lines();
    const auto parked = std::ranges::find(lines, true, &ports::LineView::parked);
    REQUIRE(parked != lines.end());
    (void)world.gate(parked->name, GateOrder::drain);
    const Outcome outcome = ask_urgent(world, 60, 0ms);
    CHECK(outcome.refused > 10);
    CHECK(outcome.last_refusal.contains("for 4 modems"));
    world.run_for(1s);
    CHECK(open_lines(world) == 4);
    check_kept(world, outcome);
}

TEST_CASE("parked lines: when no open line can send, one is let in for the first message") {
    test::World world(eight_lines());
    at_night(world);
    const auto lines = world.rack().lines();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].manual == ManualState::open) {
            (void)world.gate(lines[i].name, GateOrder::drain);
        }
    }
    CHECK(open_lines(world) == 0);
    check_kept(world, ask_urgent(world, 1, 0ms));
}

TEST_CASE("scaling: no line is parked that the work ahead needs") {
    // The store is filled below 10 %, so the published rules park a line with each window.
    test::World world({.modems = 4,
                       .service = service,
                       .toml = "[scaling]\nenabled = true\npolicy = \"paper\"\nn_min = 2\n"
                               "samples = 10\nperiod_ms = 2000\nnode_rate = 0.2\n"
                               "[priority]\nsla_ms = [300000, 300000, 300000, 300000, 300000, "
                               "300000, 300000]\n"});
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> ids;
    for (int i = 0; i < 140; ++i) {  // 175 s on four lines
        ids.push_back(world.send({.to = number(i), .text = "x", .priority = 6}));
    }
    world.run_for(60s);
    CHECK(open_lines(world) == 4);
    CHECK(world.run(5min, [&] { return world.all_are(ids, MessageState::delivered); }));
    CHECK(world.run(5min, [&] { return open_lines(world) == 2; }));
}

TEST_CASE("scaling: what was refused counts in the load that the controller decides by") {
    test::World world({.modems = 2,
                       .service = service,
                       .toml = "[scaling]\nenabled = true\nn_min = 2\nperiod_ms = 10000\n"
                               "node_rate = 0.2\n"});
    REQUIRE(world.run_until_ready());
    const Outcome outcome = ask_urgent(world, 200, 250ms);
    CHECK(outcome.refused > 100);
    CHECK(world.rack().scaling().load == doctest::Approx(4).epsilon(0.2));
}

TEST_CASE("scaling: who comes again after a refusal is counted once") {
    test::World world({.modems = 1,
                       .service = service,
                       .toml = "[scaling]\nenabled = true\nn_min = 1\nperiod_ms = 10000\n"
                               "node_rate = 0.2\n"});
    REQUIRE(world.run_until_ready());
    (void)ask_urgent(world, 40, 0ms);
    world.run_for(20s);
    for (int i = 0; i < 100; ++i) {
        (void)world.ask({.to = number(39), .text = "x", .priority = 6});
        world.run_for(100ms);
    }
    CHECK(world.rack().scaling().load <= 0.3);
}

TEST_CASE("scaling: a reload keeps the rate of a line that was learned, and how long one wakes") {
    test::World world({.modems = 4,
                       .service = 1'800ms,
                       .toml = "[scaling]\nenabled = true\nn_min = 2\nsamples = 10\n"
                               "period_ms = 5000\nradio_off = true\nawake_s = 20\n"
                               "listen_s = 120\n"});
    REQUIRE(world.run_until_ready());
    CHECK_FALSE(world.rack().scaling().node_rate);
    std::vector<MessageId> ids;
    for (int i = 0; i < 60; ++i) {
        ids.push_back(world.send({.to = number(i), .text = "x", .priority = 6}));
    }
    REQUIRE(world.run(5min, [&] { return world.all_are(ids, MessageState::delivered); }));
    REQUIRE(world.run(20min, [&] {
        return std::ranges::any_of(world.rack().lines(),
                                   [](const auto& line) { return line.woke_in.has_value(); });
    }));
    const auto rate = world.rack().scaling().node_rate;
    REQUIRE(rate);
    const auto before = world.rack().lines();
    REQUIRE(world.hand_over());
    world.run_for(1s);
    REQUIRE(world.rack().scaling().node_rate);
    CHECK(*world.rack().scaling().node_rate == doctest::Approx(*rate));
    const auto after = world.rack().lines();
    for (std::size_t i = 0; i < before.size(); ++i) {
        CHECK(after[i].woke_in == before[i].woke_in);
    }
}
