// The rack's own messages to its own SIMs, in simulated time.
#include "src/sms/self_sms.hpp"

#include "tests/sim/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using stats::Counter;

namespace {

test::WorldSettings two_modems(std::string modem_toml = {}, std::string toml = {}) {
    return {.modems = 2,
            .service = 5s,
            .toml = "[priority]\nself_sms_s = 600\n" + std::move(toml),
            .modem_toml = std::move(modem_toml),
            .numbers = true};
}

std::vector<ports::MessageRow> probes(test::World& world) {
    return world.list({.batch = std::string(self_sms_batch)});
}

std::vector<MessageState> states(test::World& world) {
    std::vector<MessageState> all;
    for (const ports::MessageRow& row : probes(world)) {
        all.push_back(row.state);
    }
    return all;
}

const ports::LineView& line_of(const std::vector<ports::LineView>& lines, const std::string& name) {
    return *std::ranges::find(lines, name, &ports::LineView::name);
}

}  // namespace

TEST_CASE(
    "self-SMS: a silent level gets its sample, nobody sees the message, and the levels take "
    "turns") {
    test::World world(two_modems());
    world.modems.forward_own(3s);
    REQUIRE(world.run_until_ready());
    world.run_for(500s);
    CHECK(world.modems.journal.submits.empty());
    REQUIRE(world.run(200s, [&] { return world.modems.journal.submits.size() == 1; }));
    const auto& submit = world.modems.journal.submits.front();
    CHECK(submit.to != sim::make_identity(submit.modem).number);
    REQUIRE(world.run(30s, [&] { return states(world) == std::vector{MessageState::delivered}; }));
    const auto status = world.rack().status();
    REQUIRE(status.levels.at(6).t_recent_ms);
    CHECK(*status.levels.at(6).t_recent_ms >= 5'000);
    CHECK(*status.levels.at(6).t_recent_ms < 6'000);
    CHECK(world.inbox().empty());
    CHECK(std::ranges::count(world.events(), EventType::message_state, &Event::type) == 0);
    CHECK(std::ranges::count(world.events(), EventType::message_received, &Event::type) == 0);
    CHECK(world.stats().value(Counter::self_sms_received) == 1);
    CHECK(world.stats().value(Counter::inbound_messages) == 0);
    const auto took = world.stats().histogram(stats::Timing::self_sms).snapshot();
    CHECK(took.total == 1);
    CHECK(took.sum >= 8s);
    CHECK(took.sum < 10s);

    world.run_for(71min);
    std::vector<Level> levels;
    for (const ports::MessageRow& row : probes(world)) {
        levels.push_back(row.level);
    }
    CHECK(levels == std::vector<Level>{6, 0, 1, 2, 3, 4, 5, 6});
    CHECK(world.modems.journal.submits.size() == 8);
    CHECK(world.inbox().empty());
}

TEST_CASE("self-SMS: a level that has messages needs none, and they are not held up by them") {
    test::World world(two_modems());
    world.modems.forward_own(3s);
    REQUIRE(world.run_until_ready());
    for (int i = 0; i < 14; ++i) {
        for (int level = 0; level <= 6; ++level) {
            (void)world.send({.to = "+33612345678", .text = "x", .priority = level});
        }
        world.run_for(5min);
    }
    CHECK(probes(world).empty());
}

TEST_CASE("self-SMS: none while the rack or the group is paused; one when that ends") {
    struct Row {
        ports::PauseScope scope;
        const char* name;
    };
    for (const Row& row :
         {Row{ports::PauseScope::rack, ""}, Row{ports::PauseScope::group, "default"}}) {
        CAPTURE(static_cast<int>(row.scope));
        test::World world(two_modems());
        world.modems.forward_own(3s);
        REQUIRE(world.run_until_ready());
        REQUIRE(world.pause(row.scope, row.name));
        world.run_for(3h);
        CHECK(world.messages() == 0);
        REQUIRE(world.resume(row.scope, row.name));
        CHECK(
            world.run(60s, [&] { return states(world) == std::vector{MessageState::delivered}; }));
    }
}

TEST_CASE("self-SMS: none while no line of the group can send") {
    test::World world(two_modems());
    world.modems.forward_own(3s);
    REQUIRE(world.run_until_ready());
    (void)world.gate("m0", ports::GateOrder::drain);
    (void)world.gate("m1", ports::GateOrder::drain);
    world.run_for(1h);
    CHECK(world.messages() == 0);
    (void)world.gate("m0", ports::GateOrder::resume);
    REQUIRE(world.run(60s, [&] { return !world.modems.journal.submits.empty(); }));
    CHECK(world.modems.journal.submits.front().modem == 0);
    CHECK(world.modems.journal.submits.front().to == sim::make_identity(1).number);
}

TEST_CASE("self-SMS: none within quiet hours") {
    test::World world(two_modems({},
                                 "[quiet_hours]\nfrom = \"00:00\"\nto = \"23:59\"\n"
                                 "below_priority = 7\n"));
    world.modems.forward_own(3s);
    REQUIRE(world.run_until_ready());
    world.run_for(2h);
    CHECK(world.messages() == 0);
}

TEST_CASE("self-SMS: they count against the quota of their SIM, and end with it") {
    test::World world(two_modems("quota = { per_day = 2 }\n"));
    world.modems.forward_own(3s);
    REQUIRE(world.run_until_ready());
    world.run_for(3h);
    CHECK(world.modems.journal.submits.size() == 4);
    CHECK(world.messages() == 4);
    CHECK(world.rack().status().groups.front().lines.able == 0);
}

TEST_CASE("self-SMS: one that is lost shows on the line that sent it, and is not sent again") {
    test::World world(two_modems());
    world.modems.forward_own(3s);
    world.modems.lose_own(true);
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(700s, [&] { return world.modems.journal.submits.size() == 1; }));
    world.modems.lose_own(false);
    REQUIRE(world.run(400s, [&] { return states(world).front() == MessageState::undelivered; }));
    const auto rows = probes(world);
    CHECK(rows.front().detail == "self_sms_lost");
    CHECK(world.stats().value(Counter::self_sms_lost) == 1);
    const auto lines = world.rack().lines();
    CHECK(line_of(lines, rows.front().modem)
              .incidents.at(static_cast<std::size_t>(ports::Incident::self_sms_lost)) == 1);
    CHECK(rows.front().modem == fmt::format("m{}", world.modems.journal.submits.front().modem));
    CHECK(world.modems.journal.submits.size() == 1);
    CHECK(std::ranges::count(world.events(), EventType::message_state, &Event::type) == 0);
}

TEST_CASE(
    "self-SMS: the power goes between sending and receiving: it is known again, and in no inbox") {
    test::World world(two_modems());
    world.modems.forward_own(20s);
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(700s, [&] { return world.modems.journal.submits.size() == 1; }));
    SUBCASE("its answer is kept") {
        REQUIRE(world.run(10s, [&] { return states(world).front() == MessageState::sent; }));
    }
    SUBCASE("its answer is not kept") {}
    world.crash_and_restart();
    CHECK(world.run(60s, [&] { return states(world).front() == MessageState::delivered; }));
    CHECK(world.inbox().empty());
    CHECK(world.stats().value(Counter::self_sms_received) == 1);
    world.run_for(5min);
    CHECK(world.modems.journal.submits.size() == 1);
    CHECK(world.inbox().empty());
}

TEST_CASE("self-SMS: one that comes in before its answer is known is delivered when that is") {
    test::World world(two_modems());
    world.modems.forward_own(0s);
    REQUIRE(world.run_until_ready());
    for (std::size_t modem = 0; modem < 2; ++modem) {
        world.modems.modem(modem).inject(world.clock.steady(),
                                         {.kind = sim::FaultKind::late_answer, .delay = 10s});
    }
    REQUIRE(world.run(700s, [&] { return world.modems.journal.submits.size() == 1; }));
    CHECK(world.run(5s, [&] {
        return world.stats().histogram(stats::Timing::self_sms).snapshot().total == 1;
    }));
    CHECK(states(world).front() == MessageState::sending);
    CHECK(world.run(20s, [&] { return states(world).front() == MessageState::delivered; }));
    CHECK(world.inbox().empty());
    CHECK(world.stats().value(Counter::self_sms_received) == 1);
}

TEST_CASE("self-SMS: the same words from somebody else are a message like others") {
    test::World world(two_modems());
    REQUIRE(world.run_until_ready());
    REQUIRE(world.modems.modem(0).offer(world.clock.steady(),
                                        {.from = "+33698765432", .text = self_sms_text(0x1234)}));
    CHECK(world.run(30s, [&] { return world.inbox().size() == 1; }));
}

TEST_CASE("self-SMS: nobody else may use their label") {
    test::World world(two_modems());
    const auto answer =
        world.submit({.to = "+33612345678", .text = "x", .batch = std::string(self_sms_batch)});
    REQUIRE(!answer);
    CHECK(answer.error().code == Errc::bad_request);
}
