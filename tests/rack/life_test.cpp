// The lifecycle of lines in simulated time: what happens to one does not affect the others.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::Incident;
using ports::LineLife;

namespace {

void inject(test::World& world, modem_sim::FaultKind kind, std::size_t modem = 0) {
    world.modems.modem(modem).inject(world.clock.steady(), modem_sim::make_fault(kind));
}

std::uint64_t count(const test::World& world, Incident incident, std::size_t line = 0) {
    return world.rack().lines().at(line).incidents.at(static_cast<std::size_t>(incident));
}

bool is_at(const test::World& world, LineLife life, std::size_t line = 0) {
    return world.rack().lines().at(line).life == life;
}

std::string number(int i) {
    return fmt::format("+3361{:07}", i);
}

}  // namespace

TEST_CASE("life: a modem that hangs under a submit gets its power cut, and is back by itself") {
    test::World world({.modems = 1, .power_lines = true});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send(number(1), "in flight");
    world.run_for(100ms);
    inject(world, modem_sim::FaultKind::hang);
    CHECK(world.run(200s, [&] { return world.state(id) == MessageState::uncertain; }));
    CHECK(world.run(120s, [&] { return count(world, Incident::power_cycled) == 1; }));
    CHECK(world.run(60s, [&] { return is_at(world, LineLife::ready); }));
    CHECK(count(world, Incident::out_of_service) == 0);
    CHECK(count(world, Incident::restarted) == 1);
    const MessageId next = world.send(number(2), "after it");
    CHECK(world.run(30s, [&] { return world.state(next) == MessageState::delivered; }));
    CHECK(world.run(1000s, [&] { return is_final(world.state(id)); }));
    CHECK(world.modems.journal.submits.size() == 2);
}

TEST_CASE(
    "life: a modem that nothing helps is out of service; the other sends, and it is asked on") {
    test::World world({.modems = 2});
    REQUIRE(world.run_until_ready());
    inject(world, modem_sim::FaultKind::hang);
    CHECK(world.run(120s, [&] { return is_at(world, LineLife::failed); }));
    CHECK(world.rack().lines().at(0).reason == "out_of_service");
    CHECK(count(world, Incident::out_of_service) == 1);
    std::vector<MessageId> ids;
    for (int i = 0; i < 20; ++i) {
        ids.push_back(world.send(number(i), "hello"));
    }
    CHECK(world.run(60s, [&] { return world.all_are(ids, MessageState::delivered); }));
    world.run_for(24h);
    CHECK(is_at(world, LineLife::failed));
    CHECK(count(world, Incident::out_of_service) == 1);  // one alarm, not one for each try
    CHECK(count(world, Incident::reset) > 100);
    inject(world, modem_sim::FaultKind::unhang);
    CHECK(world.run(130s, [&] { return is_at(world, LineLife::ready); }));
}

TEST_CASE("life: in a foreign network messages wait, and go out when the modem is home again") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    inject(world, modem_sim::FaultKind::roaming);
    CHECK(world.run(60s, [&] { return world.rack().lines().at(0).reason == "roaming"; }));
    const MessageId id = world.send(number(1), "hello");
    world.run_for(10min);
    CHECK(world.state(id) == MessageState::queued);
    CHECK(world.modems.journal.submits.empty());
    inject(world, modem_sim::FaultKind::network_back);
    CHECK(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
}

TEST_CASE("life: a line that may roam sends abroad") {
    test::World world({.modems = 1, .toml = "[defaults]\nroaming = true\n"});
    REQUIRE(world.run_until_ready());
    inject(world, modem_sim::FaultKind::roaming);
    world.run_for(60s);
    const MessageId id = world.send(number(1), "hello");
    CHECK(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
}

TEST_CASE("life: calls are hung up on, and every message goes out once") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> ids;
    for (int i = 0; i < 10; ++i) {
        inject(world, modem_sim::FaultKind::ring);
        ids.push_back(world.send(number(i), "hello"));
        world.run_for(700ms);
    }
    CHECK(world.run(60s, [&] { return world.all_are(ids, MessageState::delivered); }));
    CHECK(world.modems.journal.submits.size() == 10);
    CHECK(count(world, Incident::call_refused) > 0);
}

TEST_CASE(
    "life: another SIM is refused where the policy says so, also after a restart of the service") {
    test::World world({.modems = 1, .toml = "[defaults]\nsim_policy = \"refuse\"\n"});
    REQUIRE(world.run_until_ready());
    inject(world, modem_sim::FaultKind::sim_swapped);
    const auto refused = [&] { return world.rack().lines().at(0).reason == "sim_refused"; };
    CHECK(world.run(60s, refused));
    CHECK(is_at(world, LineLife::sim_wait));
    const MessageId id = world.send(number(1), "not by this one");
    world.run_for(10min);
    CHECK(world.modems.journal.submits.empty());
    world.crash_and_restart();
    CHECK(world.run(60s, refused));
    world.run_for(10min);
    CHECK(world.modems.journal.submits.empty());
    CHECK(world.state(id) == MessageState::queued);
}

TEST_CASE("life: another SIM is warned of by default, and used") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    const std::string before = world.rack().lines().at(0).identity.iccid;
    inject(world, modem_sim::FaultKind::sim_swapped);
    CHECK(world.run(60s, [&] { return count(world, Incident::sim_changed) == 1; }));
    const MessageId id = world.send(number(1), "hello");
    CHECK(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(world.rack().lines().at(0).identity.iccid != before);
}

TEST_CASE(
    "life: a SIM that was changed is seen by the new one too, if the modem's first word is lost") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    const std::string before = world.rack().lines().at(0).identity.iccid;
    inject(world, modem_sim::FaultKind::lose_urc);  // +WIND: 0
    inject(world, modem_sim::FaultKind::sim_swapped);
    CHECK(world.run(60s, [&] { return count(world, Incident::sim_changed) == 1; }));
    CHECK(world.run(60s, [&] { return is_at(world, LineLife::ready); }));
    CHECK(world.rack().lines().at(0).identity.iccid != before);
}

TEST_CASE(
    "life: a modem that answers AT and never a submit climbs the ladder; the other sends all") {
    test::World world({.modems = 2});
    REQUIRE(world.run_until_ready());
    modem_sim::Fault deaf = modem_sim::make_fault(modem_sim::FaultKind::drop_prompt);
    deaf.count = 1'000;
    world.modems.modem(0).inject(world.clock.steady(), deaf);
    std::vector<MessageId> ids;
    for (int i = 0; i < 400; ++i) {
        ids.push_back(world.send(number(i), "hello"));
    }
    CHECK(world.run(600s, [&] { return world.all_are(ids, MessageState::delivered); }));
    CHECK(count(world, Incident::drained) == 2);
    CHECK(count(world, Incident::reset) > 0);
    CHECK(count(world, Incident::out_of_service) > 0);
}

TEST_CASE("life: a report that came directly to a service that died with it is not lost") {
    test::World world({.modems = 1, .no_sr = true});
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> ids;
    for (int i = 0; i < 12; ++i) {
        ids.push_back(world.send({.to = number(i), .text = "hello", .report = true}));
        const auto told = [&] { return world.dialogue("m0").contains("+CDS:"); };
        REQUIRE(world.run(60s, told));
        world.run_turns(static_cast<std::size_t>(i));  // before it is known, kept, confirmed
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
        CHECK(world.run(90s, [&] { return world.state(ids.back()) == MessageState::delivered; }));
    }
    CHECK(world.modems.journal.dropped == 0);
}

TEST_CASE("life: a modem that ceased to tell, for its report got lost on the wire, tells again") {
    test::World world({.modems = 1, .no_sr = true});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send({.to = number(1), .text = "hello", .report = true});
    REQUIRE(world.run(60s, [&] { return world.state(id) == MessageState::sent; }));
    inject(world, modem_sim::FaultKind::lose_urc);
    world.run_for(30s);
    REQUIRE(world.state(id) == MessageState::sent);
    CHECK(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
    const std::string from = "+33611000001";
    REQUIRE(
        world.modems.modem(0).offer(world.clock.steady(), {.id = 1, .from = from, .text = "hi"}));
    CHECK(world.run(5s, [&] { return world.inbox().size() == 1; }));
}
