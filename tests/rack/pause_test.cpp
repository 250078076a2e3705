// Pauses in simulated time: what waits does wait, whatever fails, and nothing else waits with it.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::PauseScope;

namespace {

std::string number(int i) {
    return fmt::format("+3361{:07}", i);
}

std::vector<MessageId> send_many(test::World& world, int count, const std::string& batch = {},
                                 int first = 0) {
    std::vector<MessageId> ids;
    for (int i = 0; i < count; ++i) {
        ids.push_back(world.send({.to = number(first + i), .text = "hello", .batch = batch}));
    }
    return ids;
}

std::size_t submits(const test::World& world) {
    return world.modems.journal.submits.size();
}

std::int64_t count(test::World& world, const std::string& batch, MessageState state) {
    return world.batch(batch).counts.at(static_cast<std::size_t>(state));
}

void receive(test::World& world, const std::string& from, const std::string& text) {
    REQUIRE(world.modems.modem(0).offer(world.clock.steady(), {.from = from, .text = text}));
}

/// Lets what is in flight end; then nothing more may leave.
void let_hands_end(test::World& world) {
    world.run_for(5s);
}

}  // namespace

TEST_CASE(
    "pause: the rack sends nothing that waited, over a restart too, and all of it once resumed") {
    test::World world({.modems = 2, .service = 200ms});
    REQUIRE(world.run_until_ready());
    const auto ids = send_many(world, 60);
    CHECK(world.pause(PauseScope::rack));
    CHECK_FALSE(world.pause(PauseScope::rack));
    let_hands_end(world);
    const std::size_t before = submits(world);
    CHECK(before < 60);
    const auto late = world.send(number(99), "accepted while paused");
    world.run_for(60s);
    CHECK(submits(world) == before);
    CHECK(world.starves_since() == never);  // the watchdog must not take it for a fault
    REQUIRE(world.rack().status().pauses.size() == 1);

    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    world.run_for(60s);
    CHECK(submits(world) == before);
    REQUIRE(world.rack().status().pauses.size() == 1);
    CHECK(ports::pause_text(world.rack().status().pauses[0]).starts_with("the rack is paused"));

    CHECK(world.resume(PauseScope::rack));
    CHECK_FALSE(world.resume(PauseScope::rack));
    CHECK(world.run(60s, [&] { return world.all_are(ids, MessageState::delivered); }));
    CHECK(world.run(60s, [&] { return world.state(late) == MessageState::delivered; }));
    CHECK(submits(world) == 61);
    CHECK(world.rack().status().pauses.empty());
}

TEST_CASE("pause: a begun long message goes out whole") {
    test::World world({.modems = 1, .service = 500ms});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send(number(1), std::string(700, 'x'));  // five segments
    REQUIRE(world.run(20s, [&] { return submits(world) == 2; }));
    CHECK(world.pause(PauseScope::rack));
    const MessageId next = world.send(number(2), "next");
    CHECK(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(submits(world) == 5);
    CHECK(world.state(next) == MessageState::queued);
}

TEST_CASE("pause: a group of no line here, and a group that is: only the one waits") {
    test::World world({.modems = 1, .service = 200ms});
    REQUIRE(world.run_until_ready());
    CHECK(world.pause(PauseScope::group, "elsewhere"));
    const auto ids = send_many(world, 3);
    CHECK(world.run(20s, [&] { return world.all_are(ids, MessageState::delivered); }));
    CHECK(world.pause(PauseScope::group, "default"));
    let_hands_end(world);
    const auto more = send_many(world, 3, {}, 10);
    world.run_for(30s);
    CHECK(world.all_are(more, MessageState::queued));
    CHECK(world.resume(PauseScope::group, "default"));
    CHECK(world.run(20s, [&] { return world.all_are(more, MessageState::delivered); }));
}

TEST_CASE(
    "pause: a paused batch at the head of its level, longer than what is loaded of it, blocks no "
    "other message") {
    test::World world({.modems = 2, .service = 100ms});
    REQUIRE(world.run_until_ready());
    CHECK(world.pause(PauseScope::batch, "campaign"));
    const auto campaign = send_many(world, 150, "campaign");
    const auto others = send_many(world, 40, {}, 1'000);
    const auto second = send_many(world, 10, "other", 2'000);
    CHECK(world.run(60s, [&] { return world.all_are(others, MessageState::delivered); }));
    CHECK(world.run(60s, [&] { return world.all_are(second, MessageState::delivered); }));
    CHECK(world.all_are(campaign, MessageState::queued));
    CHECK(world.starves_since() == never);
    CHECK(world.resume(PauseScope::batch, "campaign"));
    CHECK(
        world.run(120s, [&] { return count(world, "campaign", MessageState::delivered) == 150; }));
    CHECK(submits(world) == 200);
}

TEST_CASE(
    "pause: a batch that is on its way stops, with what is encoded, and continues where it was") {
    test::World world({.modems = 3, .service = 300ms});
    REQUIRE(world.run_until_ready());
    const auto campaign = send_many(world, 100, "campaign");
    world.run_for(2s);
    CHECK(world.pause(PauseScope::batch, "campaign"));
    let_hands_end(world);
    const std::size_t before = submits(world);
    CHECK(before < 100);
    const MessageId urgent = world.send({.to = number(500), .text = "code", .priority = 3});
    CHECK(world.run(5s, [&] { return world.state(urgent) == MessageState::delivered; }));
    CHECK(submits(world) == before + 1);
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    world.run_for(30s);
    CHECK(submits(world) == before + 1);
    CHECK(world.resume(PauseScope::batch, "campaign"));
    CHECK(world.run(120s, [&] { return world.all_are(campaign, MessageState::delivered); }));
    CHECK(submits(world) == 101);
}

TEST_CASE("pause: what waits between two attempts waits too, and is tried once resumed") {
    test::World world({.modems = 1, .service = 200ms, .toml = "[queue]\nretry_base_s = 2\n"});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 {.kind = modem_sim::FaultKind::cms_error, .count = 1, .code = 42});
    const MessageId id = world.send({.to = number(1), .text = "again", .batch = "b"});
    REQUIRE(world.run(20s, [&] { return world.detail(id).attempts.size() == 1; }));
    CHECK(world.pause(PauseScope::batch, "b"));
    world.run_for(60s);
    CHECK(world.detail(id).attempts.size() == 1);
    CHECK(world.state(id) == MessageState::sending);
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    world.run_for(60s);
    CHECK(world.detail(id).attempts.size() == 1);
    CHECK(world.resume(PauseScope::batch, "b"));
    CHECK(world.run(20s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(world.detail(id).attempts.size() == 2);
}

TEST_CASE("pause: a scheduled message whose time comes within waits as a queued one") {
    test::World world({.modems = 1, .service = 200ms});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send(
        {.to = number(1), .text = "later", .not_before = world.clock.wall() + 10s, .batch = "b"});
    CHECK(world.pause(PauseScope::rack));
    world.run_for(30s);
    CHECK(world.state(id) == MessageState::queued);
    CHECK(world.resume(PauseScope::rack));
    CHECK(world.run(20s, [&] { return world.state(id) == MessageState::delivered; }));
}

TEST_CASE("pause: a line that is blocked stays so when the rack resumes, and the other way round") {
    test::World world({.modems = 2, .service = 200ms});
    REQUIRE(world.run_until_ready());
    CHECK(world.pause(PauseScope::rack));
    (void)world.gate("m0", ports::GateOrder::drain);
    const auto ids = send_many(world, 10);
    (void)world.gate("m0", ports::GateOrder::resume);
    world.run_for(10s);
    CHECK(submits(world) == 0);
    (void)world.gate("m0", ports::GateOrder::drain);
    CHECK(world.resume(PauseScope::rack));
    CHECK(world.run(60s, [&] { return world.all_are(ids, MessageState::delivered); }));
    CHECK(std::ranges::all_of(world.modems.journal.submits,
                              [](const auto& submit) { return submit.modem == 1; }));
    CHECK(world.starves_since() == never);
}

TEST_CASE("pause: what an operator holds delays no admission, however much it is") {
    const std::string promise =
        "[priority]\nsla_ms = [20000, 20000, 20000, 20000, 20000, 20000, 20000]\n";
    test::World world({.modems = 2, .service = 500ms, .toml = promise});
    REQUIRE(world.run_until_ready());
    for (int i = 0; i < 8; ++i) {  // until the rate is known
        const MessageId id = world.send(number(9'000 + i), "x");
        REQUIRE(world.run(10s, [&] { return world.state(id) == MessageState::delivered; }));
    }
    CHECK(world.pause(PauseScope::rack));
    world.run_for(1s);
    const auto campaign = send_many(world, 300, "campaign");  // 75 s of work, all accepted
    CHECK(world.pause(PauseScope::batch, "campaign"));
    CHECK(world.resume(PauseScope::rack));
    world.run_for(1s);
    const MessageId other = world.send(number(5'000), "nobody is ahead of it");
    CHECK(world.run(10s, [&] { return world.state(other) == MessageState::delivered; }));
    CHECK(world.resume(PauseScope::batch, "campaign"));
    world.run_for(1s);
    const auto refused = world.ask({.to = number(5'001), .text = "x"});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::overloaded);
    CHECK(world.run(200s, [&] { return world.all_are(campaign, MessageState::delivered); }));
}

TEST_CASE("pause: the time of a message continues meanwhile") {
    test::World world({.modems = 1, .service = 200ms});
    REQUIRE(world.run_until_ready());
    CHECK(world.pause(PauseScope::rack));
    const MessageId id = world.send({.to = number(1), .text = "soon over", .ttl_s = 20});
    CHECK(world.run(40s, [&] { return world.state(id) == MessageState::expired; }));
    CHECK(submits(world) == 0);
}

TEST_CASE("batch: cancelled, none of it begins any more; it ends in steps, and over a crash") {
    test::World world({.modems = 2, .service = 200ms});
    REQUIRE(world.run_until_ready());
    const auto campaign = send_many(world, 300, "wrong");
    const auto others = send_many(world, 5, {}, 2'000);
    world.run_for(1s);
    world.cancel_batch("wrong");
    SUBCASE("the service keeps running") {}
    SUBCASE("it is killed in between") {
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
    }
    CHECK(world.run(60s, [&] { return !world.batch("wrong").cancelling; }));
    CHECK(world.run(60s, [&] { return world.all_are(others, MessageState::delivered); }));
    world.run_for(60s);
    const auto row = world.batch("wrong");
    std::size_t ended = 0;
    for (const MessageState state : {MessageState::cancelled, MessageState::delivered,
                                     MessageState::sent, MessageState::failed}) {
        ended += static_cast<std::size_t>(row.counts.at(static_cast<std::size_t>(state)));
    }
    CHECK(ended == campaign.size());
    CHECK(submits(world) < 60);
    const auto refused = world.submit({.to = number(1), .text = "one more", .batch = "wrong"});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::conflict);
}

TEST_CASE("batch: a message between two attempts is cancelled with its batch") {
    test::World world({.modems = 1, .service = 200ms, .toml = "[queue]\nretry_base_s = 2\n"});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 {.kind = modem_sim::FaultKind::cms_error, .count = 3, .code = 42});
    const MessageId id = world.send({.to = number(1), .text = "again", .batch = "b"});
    const auto busy = [&] { return world.rack().lines()[0].busy; };
    SUBCASE("it waits") {
        REQUIRE(world.run(20s, [&] { return world.detail(id).attempts.size() == 1 && !busy(); }));
    }
    SUBCASE("a line has it in flight, and it comes back unsent") {
        REQUIRE(world.run(20s, [&] { return world.detail(id).attempts.size() == 1 && busy(); }));
    }
    world.cancel_batch("b");
    CHECK(world.run(60s, [&] { return world.state(id) == MessageState::cancelled; }));
    CHECK(world.detail(id).attempts.size() == 1);
    CHECK(world.detail(id).message.detail == "batch_cancelled");
    CHECK(submits(world) == 0);
}

TEST_CASE("opt-out: STOP between acceptance and the line: nothing leaves after it is kept") {
    test::World world({.modems = 1, .service = 200ms});
    REQUIRE(world.run_until_ready());
    CHECK(world.pause(PauseScope::rack));
    const MessageId offer = world.send({.to = number(1), .text = "offer", .batch = "b"});
    const MessageId other = world.send({.to = number(2), .text = "offer", .batch = "b"});
    receive(world, number(1), "STOP");
    REQUIRE(world.run(20s, [&] { return world.inbox().size() == 1; }));
    const auto refused = world.submit({.to = number(1), .text = "again"});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::forbidden);
    CHECK(world.resume(PauseScope::rack));
    CHECK(world.run(20s, [&] { return world.state(other) == MessageState::delivered; }));
    CHECK(world.run(20s, [&] { return world.state(offer) == MessageState::cancelled; }));
    REQUIRE(submits(world) == 1);
    CHECK(world.modems.journal.submits[0].to == number(2));
    receive(world, number(1), " start ");
    REQUIRE(world.run(20s, [&] { return world.inbox().size() == 2; }));
    CHECK(world.submit({.to = number(1), .text = "welcome back"}));
}

TEST_CASE("opt-out: a STOP that comes during a submit stops the next submit to that number") {
    test::World world({.modems = 1, .service = 5s});
    REQUIRE(world.run_until_ready());
    const MessageId first = world.send({.to = number(1), .text = "offer", .report = false});
    const MessageId second = world.send({.to = number(1), .text = "another", .report = false});
    REQUIRE(world.run(5s, [&] { return world.rack().lines()[0].busy; }));
    world.run_for(1s);
    receive(world, number(1), "STOP");
    REQUIRE(world.run(20s, [&] { return world.state(second) == MessageState::cancelled; }));
    CHECK(world.state(first) == MessageState::sent);
    CHECK(submits(world) == 1);
}

TEST_CASE(
    "quiet hours: what waits when they begin waits until they end; urgent messages continue") {
    test::World world({.modems = 1,
                       .service = 2s,
                       .toml = "[quiet_hours]\nfrom = \"21:00\"\nto = \"08:00\"\nbelow_priority = "
                               "5\n[queue]\nretry_base_s = 60\n"});
    const WallTime nine = std::chrono::sys_days(std::chrono::year(2026) / 1 / 15) + 21h;
    world.clock.set_date(nine - 60s);
    REQUIRE(world.run_until_ready());
    world.clock.set_date(nine - 20s);
    std::vector<MessageId> ids;
    for (int i = 0; i < 30; ++i) {
        ids.push_back(world.send({.to = number(i), .text = "offer", .batch = "b"}));
    }
    world.run_for(40s);
    const std::size_t before = submits(world);
    CHECK(before > 3);
    CHECK(before < 20);
    world.run_for(30min);
    CHECK(submits(world) == before);
    const MessageId code = world.send({.to = number(77), .text = "code", .priority = 6});
    CHECK(world.run(20s, [&] { return world.state(code) == MessageState::delivered; }));
    const MessageId late = world.send({.to = number(78), .text = "offer"});
    CHECK(world.state(late) == MessageState::scheduled);
    CHECK(world.starves_since() == never);
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    world.run_for(30min);
    CHECK(submits(world) == before + 1);
    world.clock.set_date(nine + 11h - 10s);
    CHECK(world.run(5min, [&] { return count(world, "b", MessageState::delivered) == 30; }));
    CHECK(world.run(60s, [&] { return world.state(late) == MessageState::delivered; }));
    CHECK(submits(world) == 32);
}

TEST_CASE(
    "pause: what waited for an operator is no sample, so that no message is refused for it "
    "afterwards") {
    struct Case {
        const char* so;
        PauseScope scope;
        std::string name;
    };
    for (const Case& it :
         {Case{"the rack", PauseScope::rack, ""}, Case{"a group", PauseScope::group, "default"},
          Case{"a batch", PauseScope::batch, "spring"}}) {
        CAPTURE(it.so);
        test::World world({.modems = 2, .service = 200ms});
        REQUIRE(world.run_until_ready());
        const auto before = send_many(world, 1);
        REQUIRE(world.run(10s, [&] { return world.all_are(before, MessageState::delivered); }));
        REQUIRE(world.pause(it.scope, it.name));
        const auto held = send_many(world, 4, "spring", 100);
        world.run_for(3h);
        REQUIRE(world.resume(it.scope, it.name));
        REQUIRE(world.run(30s, [&] { return world.all_are(held, MessageState::delivered); }));
        const auto level = world.rack().status().groups.at(0).levels.at(3);
        CHECK(level.t_recent_ms.value_or(0) < 10'000);
        CHECK_FALSE(level.refuses);
        CHECK(world.rack().status().levels.at(3).t_recent_ms.value_or(0) < 10'000);
        const auto after = send_many(world, 2, {}, 200);
        CHECK(world.run(10s, [&] { return world.all_are(after, MessageState::delivered); }));
    }
}
