// Lines taken out of work and back, by the operator and by the scaling controller, in simulated
// time.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <set>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::GateOrder;
using ports::ManualState;

namespace {

std::string number(std::size_t i) {
    return fmt::format("+3361{:07}", i);
}

std::vector<MessageId> send_many(test::World& world, std::size_t count, std::size_t first = 0) {
    std::vector<MessageId> ids;
    for (std::size_t i = 0; i < count; ++i) {
        ids.push_back(world.send(number(first + i), "hello"));
    }
    return ids;
}

bool all_delivered(test::World& world, const std::vector<MessageId>& ids) {
    return world.all_are(ids, MessageState::delivered);
}

/// Submits of a modem that began after `from`; its own service time goes before each.
std::size_t submits_after(const test::World& world, unsigned modem, SteadyTime from) {
    return static_cast<std::size_t>(std::ranges::count_if(
        world.modems.journal.submits,
        [&](const test::Submitted& submit) { return submit.modem == modem && submit.at > from; }));
}

/// No number got its message twice.
bool none_twice(const test::World& world) {
    std::set<std::string> numbers;
    return std::ranges::all_of(world.modems.journal.submits, [&](const test::Submitted& submit) {
        return numbers.insert(submit.to).second;
    });
}

std::size_t open_lines(const test::World& world) {
    const auto lines = world.rack().lines();
    return static_cast<std::size_t>(
        std::ranges::count(lines, ManualState::open, &ports::LineView::manual));
}

constexpr const char* quick_scaling =
    "[scaling]\nenabled = true\nn_min = 2\nsamples = 10\nperiod_ms = 2000\nnode_rate = 0.5\n";

}  // namespace

TEST_CASE(
    "drain under full load: from that moment nothing new, what it holds ends, nothing is lost") {
    test::World world({.modems = 4, .service = 2s});
    REQUIRE(world.run_until_ready());
    const auto ids = send_many(world, 60);
    world.run_for(5s);
    REQUIRE(world.rack().lines().at(3).busy);

    const ports::GateAnswer answer = world.gate("m3", GateOrder::drain);
    const SteadyTime drained_at = world.clock.steady();
    CHECK(answer.gate == ports::LineGate::blocked);
    CHECK(answer.holds);
    CHECK(world.rack().lines().at(3).manual == ManualState::blocked);
    CHECK_FALSE(world.rack().lines().at(3).drained);
    CHECK(world.rack().lines().at(3).link == ports::LinkState::active);
    CHECK(world.run(10s, [&] { return world.rack().lines().at(3).drained; }));

    CHECK(world.run(120s, [&] { return all_delivered(world, ids); }));
    CHECK(submits_after(world, 3, drained_at) <= 1);  // the one that it held
    CHECK(world.modems.journal.submits.size() == ids.size());
    CHECK(none_twice(world));
    CHECK(world.starves_since() == never);  // a blocked line is free: not a bug

    (void)world.gate("m3", GateOrder::resume);
    const auto more = send_many(world, 8, 100);
    CHECK(world.run(60s, [&] { return all_delivered(world, more); }));
    CHECK(submits_after(world, 3, drained_at) >= 2);
}

TEST_CASE("drain: the rest of a long message goes with the line that began it") {
    test::World world({.modems = 2, .service = 2s});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send(number(1), std::string(400, 'x'));  // three segments
    world.run_for(3s);
    const auto lines = world.rack().lines();
    const auto holder = std::ranges::find(lines, true, &ports::LineView::busy);
    REQUIRE(holder != lines.end());
    (void)world.gate(holder->name, GateOrder::drain);
    CHECK(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
    std::set<unsigned> modems;
    for (const test::Submitted& submit : world.modems.journal.submits) {
        modems.insert(submit.modem);
    }
    CHECK(modems.size() == 1);
    CHECK(world.run(1s, [&] {
        return std::ranges::count(world.rack().lines(), true, &ports::LineView::drained) == 1;
    }));
}

TEST_CASE("drain: what a person has blocked stays blocked over kill -9, and opens again") {
    test::World world({.modems = 2});
    REQUIRE(world.run_until_ready());
    (void)world.gate("m0", GateOrder::drain);
    world.run_for(1s);
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    CHECK(world.rack().lines().at(0).manual == ManualState::blocked);
    CHECK(world.rack().lines().at(0).drained);
    const auto ids = send_many(world, 6);
    CHECK(world.run(60s, [&] { return all_delivered(world, ids); }));
    CHECK(std::ranges::count(world.modems.journal.submits, 0U, &test::Submitted::modem) == 0);
    (void)world.gate("m0", GateOrder::resume);
    world.run_for(1s);
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    CHECK(world.rack().lines().at(0).manual == ManualState::open);
}

TEST_CASE("drain: it is answered when it would hold over a power cut, not before") {
    test::World world({.modems = 2});
    REQUIRE(world.run_until_ready());
    world.hold_disk(true);
    CHECK_FALSE(world.is_gate_answered("m0", GateOrder::drain, 5s));
    CHECK(world.rack().lines().at(0).drained);  // carried out at once all the same
    world.hold_disk(false);
    CHECK(world.is_gate_answered("m0", GateOrder::drain, 1s));
    world.crash_and_restart();
    CHECK(world.rack().lines().at(0).manual == ManualState::blocked);
}

TEST_CASE("scaling: a day in minutes parks lines and takes them in again, and nothing is lost") {
    test::World world({.modems = 8, .service = 1'800ms, .toml = quick_scaling});
    REQUIRE(world.run_until_ready());
    constexpr int night = 200;  // seconds
    constexpr int day = 1'000;
    constexpr double peak = 2.5;  // messages per second; eight lines carry four
    std::vector<MessageId> ids;
    double owed = 0;
    std::size_t at_noon = 0;
    for (int second = 0; second < night + day; ++second) {
        const double phase = 2 * std::numbers::pi * std::max(0, second - night) / day;
        owed += std::max(0.03 * peak, peak * (1 - std::cos(phase)) / 2);
        for (; owed >= 1; owed -= 1) {
            ids.push_back(world.send(number(ids.size()), "hello"));
        }
        world.run_for(1s);
        if (second == night) {
            CHECK(open_lines(world) == 2);
        }
        at_noon = std::max(at_noon, second > night ? open_lines(world) : 0);
    }
    CHECK(at_noon >= 6);
    CHECK(world.run(300s, [&] { return open_lines(world) == 2; }));  // the next night
    std::size_t delivered = 0;
    CHECK(world.run(300s, [&] {
        while (delivered < ids.size() && world.state(ids[delivered]) == MessageState::delivered) {
            ++delivered;
        }
        return delivered == ids.size();
    }));
    CHECK(world.modems.journal.submits.size() == ids.size());
    CHECK(none_twice(world));

    const auto decisions = world.decisions();
    CHECK(std::ranges::count_if(decisions, [](const auto& d) { return d.y < d.n; }) >= 10);
    CHECK(std::ranges::count_if(decisions, [](const auto& d) { return d.y > d.n; }) >= 4);
    for (const ports::KeptDecision& decision : decisions) {
        CAPTURE(decision.words);
        CHECK_FALSE(decision.words.empty());
        CHECK((decision.y == decision.n || !decision.line.empty()));
    }
}

TEST_CASE("scaling: a parked line still hears what is sent to its number") {
    test::World world({.modems = 3, .toml = quick_scaling});
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(120s, [&] { return open_lines(world) == 2; }));
    const auto lines = world.rack().lines();
    const auto parked = std::ranges::find(lines, true, &ports::LineView::parked);
    REQUIRE(parked != lines.end());
    CHECK(parked->link == ports::LinkState::active);
    REQUIRE(world.modems.modem(static_cast<std::size_t>(parked - lines.begin()))
                .offer(world.clock.steady(), {.id = 1, .from = "+33699999999", .text = "answer"}));
    CHECK(world.run(10s, [&] { return world.inbox().size() == 1; }));
}

TEST_CASE("scaling: a crash of a line brings a parked one in with the next sample") {
    test::World world({.modems = 4, .toml = quick_scaling});
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(200s, [&] { return open_lines(world) == 2; }));
    const auto lines = world.rack().lines();
    const auto open = std::ranges::find(lines, ManualState::open, &ports::LineView::manual);
    world.modems.modem(static_cast<std::size_t>(open - lines.begin()))
        .inject(world.clock.steady(), modem_sim::make_fault(modem_sim::FaultKind::unplug));
    CHECK(world.run(6s, [&] { return open_lines(world) == 3; }));
    CHECK(world.decisions().back().rules.starts_with("crash"));
}

TEST_CASE("scaling: a line that does not answer a submit is replaced once it is slow") {
    test::World world({.modems = 4, .toml = quick_scaling});
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(200s, [&] { return open_lines(world) == 2; }));
    const auto lines = world.rack().lines();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].manual == ManualState::open) {
            world.modems.modem(i).inject(world.clock.steady(),
                                         modem_sim::make_fault(modem_sim::FaultKind::lose_answer));
        }
    }
    const auto held = send_many(world, 2);
    world.run_for(30s);
    CHECK(open_lines(world) == 2);
    const auto next = send_many(world, 1, 2);
    CHECK(world.run(20s, [&] { return all_delivered(world, next); }));  // not after 120
    CHECK(world.decisions().back().rules.starts_with("crash"));
}

TEST_CASE("scaling: a long message whose segments are answered makes no line slow") {
    test::World world({.modems = 3, .service = 6s, .toml = quick_scaling});
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(200s, [&] { return open_lines(world) == 2; }));
    const auto id = world.send(number(1), std::string(153UL * 10, 'x'));
    CHECK(world.run(90s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(std::ranges::none_of(world.decisions(), [](const auto& decision) {
        return decision.rules.starts_with("crash");
    }));
}

TEST_CASE("scaling: a line whose quota is spent is replaced by a parked one that has some left") {
    test::World world({.modems = 4,
                       .service = 200ms,
                       .toml = quick_scaling,
                       .modem_toml = "quota = { per_hour = 5 }"});
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(10min, [&] { return open_lines(world) == 2; }));
    const auto ids = send_many(world, 20);
    CHECK(world.run(5min, [&] { return all_delivered(world, ids); }));
}

TEST_CASE("scaling: what a person has blocked is not taken in") {
    test::World world({.modems = 3, .toml = quick_scaling});
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(120s, [&] { return open_lines(world) == 2; }));
    const auto lines = world.rack().lines();
    const auto parked = std::ranges::find(lines, true, &ports::LineView::parked);
    (void)world.gate(parked->name, GateOrder::drain);
    const auto ids = send_many(world, 150);
    world.run_for(60s);
    CHECK(open_lines(world) == 2);
    (void)world.gate(parked->name, GateOrder::resume);
    CHECK(open_lines(world) == 3);
    CHECK(world.run(200s, [&] { return all_delivered(world, ids); }));
}
