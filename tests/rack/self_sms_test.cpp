// The rack's own messages to its own SIMs, in simulated time.
#include "src/sms/self_sms.hpp"

#include "tests/rack/support/world.hpp"

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
            .numbers = 2};
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
    "self-SMS: a silent level gets its sample, no client sees the message, and the levels take "
    "turns") {
    test::World world(two_modems());
    world.modems.forward_own(3s);
    REQUIRE(world.run_until_ready());
    CHECK(world.modems.journal.submits.empty());
    REQUIRE(world.run(60s, [&] { return world.modems.journal.submits.size() == 1; }));
    const auto& submit = world.modems.journal.submits.front();
    CHECK(submit.to != modem_sim::make_identity(submit.modem).number);
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
    REQUIRE(world.run(60s, [&] { return probes(world).size() == 1; }));  // nothing was heard of yet
    for (int i = 0; i < 14; ++i) {
        for (int level = 0; level <= 6; ++level) {
            (void)world.send({.to = "+33612345678", .text = "x", .priority = level});
        }
        world.run_for(5min);
    }
    CHECK(probes(world).size() == 1);
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
    CHECK(world.modems.journal.submits.front().to == modem_sim::make_identity(1).number);
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
    REQUIRE(world.run(60s, [&] { return world.modems.journal.submits.size() == 1; }));
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
    REQUIRE(world.run(60s, [&] { return world.modems.journal.submits.size() == 1; }));
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
                                         {.kind = modem_sim::FaultKind::late_answer, .delay = 10s});
    }
    REQUIRE(world.run(60s, [&] { return world.modems.journal.submits.size() == 1; }));
    CHECK(world.run(5s, [&] {
        return world.stats().histogram(stats::Timing::self_sms).snapshot().total == 1;
    }));
    CHECK(states(world).front() == MessageState::sending);
    CHECK(world.run(20s, [&] { return states(world).front() == MessageState::delivered; }));
    CHECK(world.inbox().empty());
    CHECK(world.stats().value(Counter::self_sms_received) == 1);
}

TEST_CASE(
    "self-SMS: a service that starts again and again sends no more, and the levels take turns") {
    test::World world(two_modems());
    world.modems.forward_own(3s);
    for (int i = 0; i < 24; ++i) {  // two hours
        REQUIRE(world.run_until_ready());
        world.run_for(5min);
        world.crash_and_restart();
    }
    std::vector<Level> levels;
    for (const ports::MessageRow& row : probes(world)) {
        levels.push_back(row.level);
    }
    CHECK(levels.size() >= 8);
    CHECK(levels.size() <= 13);
    std::ranges::reverse(levels);
    levels.resize(8);
    CHECK(levels == std::vector<Level>{6, 5, 4, 3, 2, 1, 0, 6});
}

TEST_CASE(
    "self-SMS: one that is out when the power goes is lost in the end, also where they are off by "
    "then") {
    struct Row {
        const char* so;
        std::optional<std::string> toml;
    };
    for (const Row& row : {Row{"on", {}}, Row{"off", ""}}) {
        CAPTURE(row.so);
        test::World world(two_modems());
        world.modems.forward_own(3s);
        world.modems.lose_own(true);
        REQUIRE(world.run_until_ready());
        REQUIRE(world.run(60s, [&] { return world.modems.journal.submits.size() == 1; }));
        world.crash_and_restart(row.toml);
        REQUIRE(world.run_until_ready());
        REQUIRE(world.run(400s, [&] { return states(world).back() == MessageState::undelivered; }));
        const auto lost = probes(world).back();
        CHECK(lost.detail == "self_sms_lost");
        const auto lines = world.rack().lines();
        CHECK(line_of(lines, lost.modem)
                  .incidents.at(static_cast<std::size_t>(ports::Incident::self_sms_lost)) == 1);
        CHECK(world.modems.journal.submits.size() == 1);
    }
}

TEST_CASE("self-SMS: one is on its way at a hand-over to the next process, and comes in there") {
    test::World world(two_modems());
    world.modems.forward_own(10s);
    REQUIRE(world.run_until_ready());
    REQUIRE(world.run(60s, [&] { return states(world) == std::vector{MessageState::sending}; }));
    REQUIRE(world.hand_over());
    CHECK(world.taken_in_hand() == 1);
    CHECK(world.run(30s, [&] { return states(world) == std::vector{MessageState::delivered}; }));
    CHECK(world.stats().value(Counter::self_sms_received) == 1);
    world.run_for(5min);
    CHECK(world.modems.journal.submits.size() == 1);
    CHECK(world.inbox().empty());
}

TEST_CASE(
    "self-SMS: the SIM that it goes to does not send it, also once more; one alone sends to "
    "itself") {
    struct Row {
        unsigned modems;
        bool to_itself;
    };
    for (const Row& row : {Row{2, false}, Row{1, true}}) {
        CAPTURE(row.modems);
        auto settings = two_modems();
        settings.modems = row.modems;
        test::World world(settings);
        world.modems.forward_own(3s);
        REQUIRE(world.run_until_ready());
        for (unsigned modem = 0; modem < row.modems; ++modem) {
            world.modems.modem(modem).inject(
                world.clock.steady(),
                {.kind = modem_sim::FaultKind::cms_error, .count = 1, .code = 42});
        }
        REQUIRE(
            world.run(4min, [&] { return states(world) == std::vector{MessageState::delivered}; }));
        CHECK(world.detail(probes(world).front().id).attempts.size() == 2);
        const auto& submit = world.modems.journal.submits.front();
        CHECK((submit.to == modem_sim::make_identity(submit.modem).number) == row.to_itself);
    }
}

TEST_CASE("self-SMS: a front end gets nothing of them, and its own as ever") {
    test::World world(two_modems());
    world.modems.forward_own(3s);
    REQUIRE(world.run_until_ready());
    const ports::ClientRow client = world.arrive("billing");
    REQUIRE(world.run(60s, [&] { return states(world) == std::vector{MessageState::delivered}; }));
    CHECK(world.results(client, 100).empty());
    (void)world.send({.to = "+33612345678", .text = "x", .client = "billing"});
    CHECK(world.run(30s, [&] { return world.results(client, 100).size() >= 3; }));
    for (const Event& event : world.results(client, 100)) {
        CHECK(event.client == client.id);
    }
}

TEST_CASE(
    "self-SMS: to no SIM but those whose number is configured; where none of them is ready none is "
    "sent") {
    auto settings = two_modems();
    settings.numbers = 1;
    test::World world(settings);
    world.modems.forward_own(3s);
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(), {.kind = modem_sim::FaultKind::unplug});
    world.run_for(30min);
    CHECK(world.messages() == 0);
    CHECK(world.log.count("self_sms_nobody") == 1);  // not each time that one is due
    world.modems.modem(0).inject(world.clock.steady(), {.kind = modem_sim::FaultKind::replug});
    REQUIRE(world.run(5min, [&] { return states(world) == std::vector{MessageState::delivered}; }));
    CHECK(world.modems.journal.submits.front().modem == 1);
    world.run_for(1h);
    CHECK(world.modems.journal.submits.size() >= 6);
    for (const test::Submitted& submit : world.modems.journal.submits) {
        CHECK(submit.to == modem_sim::make_identity(0).number);
        CHECK(submit.modem == 1);
    }
}

TEST_CASE("self-SMS: none goes to a parked SIM whose radio goes off, also not while it listens") {
    test::World world({.modems = 3,
                       .service = 2s,
                       .toml = "[priority]\nself_sms_s = 600\n"
                               "[scaling]\nenabled = true\nn_min = 2\nsamples = 10\n"
                               "period_ms = 5000\nnode_rate = 0.5\n"
                               "radio_off = true\nlisten_s = 420\nawake_s = 120\n",
                       .numbers = 3});
    world.modems.forward_own(3s);
    const auto sleeper = [&] {
        const auto lines = world.rack().lines();
        return static_cast<unsigned>(std::ranges::find(lines, true, &ports::LineView::parked) -
                                     lines.begin());
    };
    REQUIRE(world.run(10min, [&] {
        return sleeper() < 3 && world.rack().lines()[sleeper()].listens_at.has_value();
    }));
    const unsigned asleep = sleeper();
    world.run_for(10min);
    const std::size_t before = world.modems.journal.submits.size();
    world.run_for(12h);
    CHECK(sleeper() == asleep);
    const auto& submits = world.modems.journal.submits;
    CHECK(submits.size() >= before + 60);
    for (std::size_t i = before; i < submits.size(); ++i) {
        CHECK(submits[i].to != modem_sim::make_identity(asleep).number);
    }
    CHECK(world.stats().value(Counter::self_sms_lost) == 0);
}

TEST_CASE("self-SMS: the same words from another sender are a message like others") {
    test::World world(two_modems());
    REQUIRE(world.run_until_ready());
    REQUIRE(world.modems.modem(0).offer(world.clock.steady(),
                                        {.from = "+33698765432", .text = self_sms_text(0x1234)}));
    CHECK(world.run(30s, [&] { return world.inbox().size() == 1; }));
}

TEST_CASE("self-SMS: no client may use their label") {
    test::World world(two_modems());
    const auto answer =
        world.submit({.to = "+33612345678", .text = "x", .batch = std::string(self_sms_batch)});
    REQUIRE(!answer);
    CHECK(answer.error().code == Errc::bad_request);
}
