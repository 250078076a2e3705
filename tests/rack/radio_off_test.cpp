// The radio of a parked line goes off and listens now and then: nothing is missed by it, over crashes and upgrades too.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::GateOrder;
using ports::LineLife;
using ports::ManualState;

namespace {

constexpr const char* resting =
    "[scaling]\nenabled = true\nn_min = 2\nsamples = 10\nperiod_ms = 5000\nnode_rate = 0.5\n"
    "radio_off = true\nlisten_s = 300\nawake_s = 20\n";

test::WorldSettings three_lines() {
    return {.modems = 3, .service = 1'800ms, .toml = resting};
}

const modem_sim::Core& core_of(test::World& world, std::size_t line) {
    return world.modems.modem(line).model().core();
}

bool has_radio(test::World& world, std::size_t line) {
    return core_of(world, line).prefs.now.full_function;
}

std::optional<std::size_t> sleeper(const test::World& world) {
    const auto lines = world.rack().lines();
    const auto found = std::ranges::find_if(
        lines, [](const ports::LineView& line) { return line.listens_at.has_value(); });
    return found == lines.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - lines.begin()));
}

/// The line whose radio has gone off; a quiet rack takes some minutes.
std::size_t wait_for_sleep(test::World& world) {
    REQUIRE(world.run(400s, [&] { return sleeper(world).has_value(); }));
    const std::size_t line = *sleeper(world);
    CHECK_FALSE(has_radio(world, line));
    CHECK(world.rack().lines().at(line).life == LineLife::asleep);
    return line;
}

void write_to(test::World& world, std::size_t line, std::uint64_t id, std::string text) {
    REQUIRE(world.modems.modem(line).offer(
        world.clock.steady(), {.id = id, .from = "+33699999999", .text = std::move(text)}));
}

bool all_delivered(test::World& world, const std::vector<MessageId>& ids) {
    return std::ranges::all_of(
        ids, [&](MessageId id) { return world.state(id) == MessageState::delivered; });
}

std::vector<MessageId> send_many(test::World& world, std::size_t count) {
    std::vector<MessageId> ids;
    for (std::size_t i = 0; i < count; ++i) {
        ids.push_back(world.send(fmt::format("+3361{:07}", i), "hello"));
    }
    return ids;
}

}  // namespace

TEST_CASE(
    "radio off: what is sent to a sleeping line waits at the centre, and is heard when it "
    "listens") {
    test::World world(three_lines());
    REQUIRE(world.run_until_ready());
    const std::size_t line = wait_for_sleep(world);
    const auto view = world.rack().lines().at(line);
    CHECK(view.parked);
    CHECK(view.link == ports::LinkState::pending);
    CHECK(view.reason == "asleep");
    REQUIRE(view.listens_at);
    CHECK(*view.listens_at > world.clock.wall());
    CHECK(*view.listens_at <= world.clock.wall() + 300s);

    write_to(world, line, 1, "answer");
    world.run_for(100s);
    CHECK(world.inbox().empty());
    CHECK(core_of(world, line).smsc.waiting(false) == 1);
    CHECK(world.run(250s, [&] { return world.inbox().size() == 1; }));
    CHECK(world.run(60s, [&] { return !has_radio(world, line); }));  // and it sleeps again
    CHECK(core_of(world, line).card.sms.used() == 0);
    // on purpose: nothing happened to it
    const auto incidents = world.rack().lines().at(line).incidents;
    for (std::size_t kind = 0; kind < ports::incident_count; ++kind) {
        CAPTURE(std::string(ports::incident_name(static_cast<ports::Incident>(kind))));
        CAPTURE(world.dialogue(fmt::format("m{}", line)));
        CHECK(incidents.at(kind) == 0);
    }
}

TEST_CASE("radio off: it stays awake for as long as something comes") {
    test::World world(three_lines());
    REQUIRE(world.run_until_ready());
    const std::size_t line = wait_for_sleep(world);
    write_to(world, line, 1, "first");
    REQUIRE(world.run(320s, [&] { return world.inbox().size() == 1; }));
    for (std::uint64_t id = 2; id <= 6; ++id) {
        world.run_for(15s);
        CHECK(has_radio(world, line));
        write_to(world, line, id, "one more");
    }
    CHECK(world.run(10s, [&] { return world.inbox().size() == 6; }));
    CHECK(world.run(60s, [&] { return !has_radio(world, line); }));
}

TEST_CASE("radio off: never while a status report is on its way to the SIM") {
    test::World world(three_lines());
    REQUIRE(world.run_until_ready());
    for (std::size_t line = 0; line < 3; ++line) {
        world.modems.modem(line).inject(world.clock.steady(),
                                        {.kind = modem_sim::FaultKind::late_report, .delay = 500s});
    }
    const auto ids = send_many(world, 3);  // one by each line
    REQUIRE(world.run(60s, [&] { return world.modems.journal.submits.size() == 3; }));
    REQUIRE(world.run(300s, [&] {
        return std::ranges::count(world.rack().lines(), true, &ports::LineView::parked) == 1;
    }));
    CHECK_FALSE(world.run(150s, [&] { return sleeper(world).has_value(); }));
    CHECK_FALSE(all_delivered(world, ids));
    CHECK(world.run(400s, [&] { return all_delivered(world, ids); }));
    (void)wait_for_sleep(world);
}

TEST_CASE("radio off: a line is switched on before it is needed, and carries its share") {
    test::World world(three_lines());
    REQUIRE(world.run_until_ready());
    const std::size_t line = wait_for_sleep(world);
    const auto ids = send_many(world, 150);
    std::optional<SteadyTime> on_at;
    REQUIRE(world.run(300s, [&] {
        const auto view = world.rack().lines().at(line);
        if (!on_at && view.link == ports::LinkState::active) {
            on_at = world.clock.steady();
            CHECK(view.parked);  // it is in standby
        }
        return view.manual == ports::ManualState::open;
    }));
    REQUIRE(on_at);
    CHECK(*on_at <= world.clock.steady());
    const auto view = world.rack().lines().at(line);
    CHECK(view.link == ports::LinkState::active);
    REQUIRE(view.woke_in);
    CHECK(*view.woke_in > 1s);
    CHECK(*view.woke_in < 20s);
    CHECK(world.run(400s, [&] { return all_delivered(world, ids); }));
    CHECK(world.modems.journal.submits.size() == ids.size());
    CHECK(std::ranges::count(world.modems.journal.submits, static_cast<unsigned>(line),
                             &test::Submitted::modem) > 10);
    for (const ports::KeptDecision& decision : world.decisions()) {
        CHECK(decision.crashed == 0);  // a line that is being switched on is none
    }
}

TEST_CASE("radio off: whom a person resumes wakes, and whom a person blocks hears again") {
    for (const GateOrder order : {GateOrder::resume, GateOrder::drain}) {
        test::World world(three_lines());
        REQUIRE(world.run_until_ready());
        const std::size_t line = wait_for_sleep(world);
        (void)world.gate(fmt::format("m{}", line), order);
        CHECK(world.run(
            20s, [&] { return world.rack().lines().at(line).link == ports::LinkState::active; }));
        CHECK(has_radio(world, line));
    }
}

TEST_CASE("radio off: whatever moment the power goes, the next start hears everything") {
    struct Moment {
        const char* so;
        std::string said;  // last on the line
        bool is_off;
    };
    for (const Moment& moment : {
             Moment{"the order is on its way to the modem", "AT+CFUN=0", true},
             Moment{"the radio is off", "asleep", true},
             Moment{"it is being switched on", "AT+CFUN=1", false},
         }) {
        CAPTURE(moment.so);
        test::World world(three_lines());
        REQUIRE(world.run_until_ready());
        std::size_t line = 0;
        REQUIRE(world.run(800s, [&] {
            for (line = 0; line < 3; ++line) {
                if (world.dialogue(fmt::format("m{}", line)).contains(moment.said)) {
                    return true;
                }
            }
            return false;
        }));
        write_to(world, line, 1, "answer");
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
        for (std::size_t each = 0; each < 3; ++each) {
            CHECK(has_radio(world, each));
            CHECK(world.rack().lines().at(each).manual == ManualState::open);
        }
        CHECK(world.run(30s, [&] { return world.inbox().size() == 1; }));
        const auto ids = send_many(world, 9);
        CHECK(world.run(120s, [&] { return all_delivered(world, ids); }));
        CHECK(world.modems.journal.submits.size() == ids.size());
        (void)wait_for_sleep(world);
    }
}

TEST_CASE(
    "radio off: a sleeping modem that loses its own power comes back, listens and sleeps again") {
    test::World world(three_lines());
    REQUIRE(world.run_until_ready());
    const std::size_t line = wait_for_sleep(world);
    const SteadyTime now = world.clock.steady();
    world.modems.modem(line).inject(now, modem_sim::make_fault(modem_sim::FaultKind::unplug));
    CHECK(world.run(5s, [&] { return world.rack().lines().at(line).reason == "no_port"; }));
    world.modems.modem(line).inject(world.clock.steady(),
                                    modem_sim::make_fault(modem_sim::FaultKind::replug));
    CHECK(world.run(
        60s, [&] { return world.rack().lines().at(line).link == ports::LinkState::active; }));
    CHECK(world.run(120s, [&] { return !has_radio(world, line); }));
    for (const ports::KeptDecision& decision : world.decisions()) {
        CHECK(decision.crashed == 0);  // it was parked
    }
}

TEST_CASE(
    "radio off: an upgrade takes the others over as they are, and switches a sleeping line on") {
    test::World world(three_lines());
    REQUIRE(world.run_until_ready());
    const std::size_t line = wait_for_sleep(world);
    write_to(world, line, 1, "answer");
    REQUIRE(world.hand_over());
    CHECK(world.taken_over() == 2);
    REQUIRE(world.run_until_ready());
    CHECK(world.run(10s, [&] { return world.inbox().size() == 1; }));
    (void)wait_for_sleep(world);
}

TEST_CASE("radio off: without the setting a parked line keeps its radio") {
    test::World world({.modems = 3,
                       .toml = "[scaling]\nenabled = true\nn_min = 2\nsamples = 10\n"
                               "period_ms = 5000\nnode_rate = 0.5\nawake_s = 5\n"});
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(200s, [&] {
        return std::ranges::count(world.rack().lines(), true, &ports::LineView::parked) == 1;
    }));
    world.run_for(300s);
    for (std::size_t line = 0; line < 3; ++line) {
        CHECK(has_radio(world, line));
    }
}

TEST_CASE(
    "radio off: one that goes off without the driver's order is on again within a quarter of an "
    "hour") {
    test::World world({.modems = 1});
    REQUIRE(world.run(60s, [&] { return world.rack().lines().at(0).life == LineLife::ready; }));

    world.modems.modem(0).host_wrote(world.clock.steady(), "AT+CFUN=0\r");

    const auto life = [&] { return world.rack().lines().at(0).life; };
    REQUIRE(world.run(120s, [&] { return life() == LineLife::registering; }));
    CHECK_FALSE(has_radio(world, 0));
    REQUIRE(world.run(15min, [&] { return life() == LineLife::ready; }));
    CHECK(has_radio(world, 0));
}
