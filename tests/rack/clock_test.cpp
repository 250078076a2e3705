#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

bool has_warning(const test::World& world, std::string_view word) {
    const auto conditions = world.rack().status().conditions;
    return std::ranges::count(conditions, word, &ports::Condition::name) > 0;
}

test::WorldSettings greeting(const std::string& keys) {
    return {.modems = 1,
            .service = 100ms,
            .toml = "[[trigger]]\nname = \"welcome\"\ntemplate = \"x\"\n" + keys};
}

/// Of a SIM that may send 3 in an hour: they go, and six more wait.
test::WorldSettings three_an_hour() {
    return {.modems = 1, .service = 100ms, .modem_toml = "quota = { per_hour = 3 }"};
}
void queue_nine(test::World& world) {
    for (int i = 0; i < 9; ++i) {
        world.send({.to = "+33612345678", .text = "x", .ttl_s = 400'000});
    }
}
void send_nine(test::World& world) {
    queue_nine(world);
    world.run_for(1min);
}
/// Some minutes after the first three.
void check_next_hour(test::World& world) {
    world.run_for(50min);
    CHECK(world.modems.journal.submits.size() == 3);
    world.run_for(20min);
    CHECK(world.modems.journal.submits.size() == 6);
}

bool is_new(test::World& world, std::string_view number) {
    const trigger::Event event{.line = 1, .number = number, .topic = "paris"};
    return world.feed("welcome", std::span(&event, 1)).of(trigger::Verdict::fresh) == 1;
}

}  // namespace

TEST_CASE("clock: back at 1970 after a power cut, nothing expires before or after it is set") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 {.kind = modem_sim::FaultKind::network_lost});
    world.run_for(40s);
    const MessageId older = world.send({.to = "+33612345601", .text = "x", .ttl_s = 7'200});
    const WallTime off = world.clock.wall();

    world.clock.set_date(WallTime{});
    world.lose_power();
    CHECK(has_warning(world, "clock_not_believed"));
    const MessageId meanwhile = world.send({.to = "+33612345602", .text = "x", .ttl_s = 600});
    CHECK(world.detail(meanwhile).message.created_at >= off);
    world.run_for(5min);
    CHECK(world.state(older) == MessageState::queued);
    CHECK(world.state(meanwhile) == MessageState::queued);

    world.clock.set_date(off + 1h);  // NTP
    world.run_for(20s);
    CHECK_FALSE(has_warning(world, "clock_not_believed"));
    CHECK(world.state(older) == MessageState::queued);      // two hours are not over
    CHECK(world.state(meanwhile) == MessageState::queued);  // nor are its ten minutes
    world.run_for(6min);
    CHECK(world.state(meanwhile) == MessageState::expired);
    world.run_for(1h);
    CHECK(world.state(older) == MessageState::expired);
}

TEST_CASE("clock: set back by a month, the filters of the triggers are still rebuilt each night") {
    test::World world({.modems = 1,
                       .toml = "[dedup]\nrebuild_at = \"03:30\"\n[[trigger]]\nname = "
                               "\"welcome\"\ntemplate = \"x\"\n"});
    REQUIRE(world.run_until_ready());
    world.clock.set_date(world.clock.wall() + 30 * 24h);
    world.run_for(2min);
    world.clock.set_date(world.clock.wall() - 31 * 24h);
    world.run_for(2min);
    const WallTime back = world.clock.wall();
    world.run_for(25h);
    CHECK(world.triggers().view().rebuild.began_at > back + 1min);
}

TEST_CASE("clock: a pair that was claimed before the clock was set has all its days when it is") {
    test::World world(greeting("batch_s = 0\nretain_days = 15\n"));
    REQUIRE(world.run_until_ready());
    CHECK(is_new(world, "+33612345601"));
    world.run_for(1min);
    const WallTime off = world.clock.wall();
    world.clock.set_date(WallTime{});
    world.lose_power();
    REQUIRE(world.run_until_ready());
    CHECK(is_new(world, "+33612345602"));
    world.run_for(1min);
    CHECK(world.modems.journal.submits.size() == 2);
    world.clock.set_date(off + 19 * 24h);  // NTP
    world.run_for(1min);
    CHECK_FALSE(is_new(world, "+33612345602"));
    CHECK(is_new(world, "+33612345601"));  // its days are over
    const auto row = world.pair("welcome", "paris", "+33612345602");
    CHECK(row->claimed_at > off + 19 * 24h - 5min);
}

TEST_CASE("clock: a month ahead for a while, and no message of a trigger waits for a month") {
    for (const char* keys : {"batch_s = 30\n", "batch_s = 30\nper_minute = 1\n"}) {
        CAPTURE(keys);
        test::World world(greeting(keys));
        REQUIRE(world.run_until_ready());
        world.run_for(1min);
        world.clock.set_date(world.clock.wall() + 30 * 24h);
        world.run_for(2s);
        for (const char* number : {"+33612345601", "+33612345602", "+33612345603"}) {
            CHECK(is_new(world, number));
        }
        world.clock.set_date(world.clock.wall() - 30 * 24h);
        world.run_for(20s);
        CHECK(is_new(world, "+33612345604"));
        CHECK(world.run(8min, [&] { return world.modems.journal.submits.size() == 4; }));
    }
}

TEST_CASE("clock: a day's quota does not begin again by a power cut") {
    test::World world({.modems = 1, .service = 100ms, .modem_toml = "quota = { per_day = 2 }"});
    world.clock.set_date(WallTime(std::chrono::sys_days(std::chrono::year(2026) / 5 / 1)) + 10h);
    REQUIRE(world.run_until_ready());
    for (int i = 0; i < 4; ++i) {
        world.send({.to = "+33612345678", .text = "x", .ttl_s = 400'000});
    }
    world.run_for(1min);
    CHECK(world.modems.journal.submits.size() == 2);
    world.clock.set_date(WallTime{});
    world.lose_power();
    REQUIRE(world.run_until_ready());
    world.run_for(2h);
    CHECK(world.modems.journal.submits.size() == 2);
    world.clock.set_date(WallTime(std::chrono::sys_days(std::chrono::year(2026) / 5 / 2)) + 1h);
    world.run_for(1min);
    CHECK(world.modems.journal.submits.size() == 4);
}

TEST_CASE("clock: what a SIM sent before its clock was set still counts for its hour when it is") {
    test::World world(three_an_hour());
    REQUIRE(world.run_until_ready());
    world.send("+33612345678", "before the power cut");
    world.run_for(1min);
    const WallTime off = world.clock.wall();
    world.clock.set_date(WallTime{});
    world.lose_power();
    REQUIRE(world.run_until_ready());
    send_nine(world);
    CHECK(world.modems.journal.submits.size() == 3);
    world.clock.set_date(off + 3h);  // NTP
    check_next_hour(world);
}

TEST_CASE(
    "clock: set forward while the rack runs, no hour of a SIM holds more, whichever process "
    "sent it") {
    for (const bool restarted : {false, true}) {
        CAPTURE(restarted);
        test::World world(three_an_hour());
        REQUIRE(world.run_until_ready());
        send_nine(world);
        if (restarted) {
            world.crash_and_restart();
            REQUIRE(world.run_until_ready());
        }
        world.run_for(1min);
        world.clock.set_date(world.clock.wall() + 3h);
        check_next_hour(world);
    }
}

TEST_CASE(
    "clock: set forward by a second just after a SIM spent its hour, that hour is still one") {
    test::World world(three_an_hour());
    REQUIRE(world.run_until_ready());
    const auto in_minute = world.clock.wall().time_since_epoch() % 1min;
    world.run_for(1min - in_minute + 59'300ms);  // the end of what is counted together
    send_nine(world);
    REQUIRE(world.modems.journal.submits.size() == 3);
    world.clock.set_date(world.clock.wall() + 1s);
    world.run_for(90min);
    REQUIRE(world.modems.journal.submits.size() == 6);
    CHECK(world.modems.journal.submits[3].at - world.modems.journal.submits[0].at >= 1h);
}

TEST_CASE(
    "clock: set back, and a crash soon after: the clock is believed, and no hour holds more") {
    test::World world(three_an_hour());
    REQUIRE(world.run_until_ready());
    REQUIRE(world.modems.modem(0).offer(world.clock.steady(),
                                        {.id = 1, .from = "+33700000001", .text = "before it"}));
    send_nine(world);
    REQUIRE(world.inbox().size() == 1);
    const WallTime back = world.clock.wall() - 3h;
    world.clock.set_date(back);
    world.run_for(20s);
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    CHECK_FALSE(has_warning(world, "clock_not_believed"));
    CHECK(world.detail(world.send("+33612345678", "x")).message.created_at < back + 5min);
    check_next_hour(world);
}

TEST_CASE("clock: set back while the disk is full, no hour of a SIM holds more") {
    for (int full = 1; full <= 5; ++full) {
        CAPTURE(full);
        test::World world(three_an_hour());
        REQUIRE(world.run_until_ready());
        world.run_for(2h);
        queue_nine(world);
        world.disk.fill(true);
        world.clock.set_date(world.clock.wall() - 1h);
        world.run_for(std::chrono::seconds(full));
        CHECK(world.modems.journal.submits.size() < 3);
        world.disk.fill(false);
        world.run_for(1min);
        world.crash_and_restart();  // so that the store alone knows what was sent
        REQUIRE(world.run_until_ready());
        check_next_hour(world);
    }
}

TEST_CASE(
    "clock: set while the disk takes nothing, and a kill: the next process moves what was dated") {
    for (const auto by : {std::chrono::hours(3), std::chrono::hours(-3)}) {
        CAPTURE(by.count());
        test::World world(three_an_hour());
        REQUIRE(world.run_until_ready());
        send_nine(world);
        REQUIRE(world.modems.journal.submits.size() == 3);
        const MessageId waits = world.send({.to = "+33612345601", .text = "x", .ttl_s = 9'000});
        const WallTime accepted = world.detail(waits).message.created_at;
        world.hold_disk(true);
        world.clock.set_date(world.clock.wall() + by);
        world.run_for(10s);
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
        CHECK_FALSE(has_warning(world, "clock_not_believed"));
        CHECK(world.detail(waits).message.created_at == accepted + by);
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
        CHECK(world.detail(waits).message.created_at == accepted + by);  // once, not twice
        check_next_hour(world);
    }
}

TEST_CASE("clock: not set since the power came, and a kill: what both processes sent counts") {
    test::World world(three_an_hour());
    REQUIRE(world.run_until_ready());
    world.send("+33612345678", "before the power cut");
    world.run_for(1min);
    const WallTime off = world.clock.wall();
    world.clock.set_date(WallTime{});
    world.lose_power();
    REQUIRE(world.run_until_ready());
    send_nine(world);
    CHECK(world.modems.journal.submits.size() == 3);
    world.run_for(4min);
    world.send("+33612345678", "the newest row");
    world.crash_and_restart();
    CHECK(has_warning(world, "clock_not_believed"));
    REQUIRE(world.run_until_ready());
    world.clock.set_date(off + 3h);  // NTP
    check_next_hour(world);
}

TEST_CASE("clock: set while the power was off: nothing says so, and it counts as time") {
    test::World world(three_an_hour());
    REQUIRE(world.run_until_ready());
    send_nine(world);
    REQUIRE(world.modems.journal.submits.size() == 3);
    world.clock.set_date(world.clock.wall() + 3h);
    world.lose_power();
    REQUIRE(world.run_until_ready());
    world.run_for(1min);
    CHECK(world.modems.journal.submits.size() == 6);
}

TEST_CASE(
    "clock: set forward while the rack runs, nothing expires that was accepted a moment ago") {
    for (const auto by : {std::chrono::minutes(1), std::chrono::minutes(480)}) {
        CAPTURE(by.count());
        test::World world({.modems = 1});
        REQUIRE(world.run_until_ready());
        world.modems.modem(0).inject(world.clock.steady(),
                                     {.kind = modem_sim::FaultKind::network_lost});
        world.run_for(10min);
        const MessageId id = world.send({.to = "+33612345601", .text = "x", .ttl_s = 600});
        world.run_for(30s);
        const WallTime accepted = world.detail(id).message.created_at;
        world.clock.set_date(world.clock.wall() + by);  // NTP, late
        world.run_for(1min);
        CHECK(world.state(id) == MessageState::queued);
        CHECK(world.detail(id).message.created_at == accepted + by);  // once, not twice
        world.run_for(8min);
        CHECK(world.state(id) == MessageState::queued);
        world.run_for(1min);
        CHECK(world.state(id) == MessageState::expired);
    }
}

TEST_CASE(
    "clock: a machine that was paused for three hours: a code is over, a message of a day is "
    "sent") {
    struct Row {
        const char* what;
        bool paused;   // as a VM: its clocks do not see it, and are set when it resumes
        bool is_busy;  // else it has no network
    };
    for (const Row& row : {
             Row{"suspended, no network", false, false},
             Row{"suspended, a line that is busy", false, true},
             Row{"paused, no network", true, false},
             Row{"paused, a line that is busy", true, true},
         }) {
        CAPTURE(row.what);
        test::World world({.modems = 1, .service = 20s});
        REQUIRE(world.run_until_ready());
        if (row.is_busy) {
            world.send({.to = "+33612345600", .text = "x", .ttl_s = 86'400});
        } else {
            world.modems.modem(0).inject(world.clock.steady(),
                                         {.kind = modem_sim::FaultKind::network_lost});
        }
        world.run_for(10s);
        const MessageId code = world.send({.to = "+33612345601", .text = "x", .ttl_s = 60});
        const MessageId day = world.send({.to = "+33612345602", .text = "x", .ttl_s = 86'400});
        world.run_for(3s);
        const WallTime created = world.detail(day).message.created_at;
        if (row.paused) {
            world.clock.set_date(world.clock.wall() + 3h);
        } else {
            world.clock.suspend(3h);
        }
        if (!row.is_busy) {
            world.modems.modem(0).inject(world.clock.steady(),
                                         {.kind = modem_sim::FaultKind::network_back});
        }
        CHECK(world.run(10min, [&] { return world.state(day) == MessageState::delivered; }));
        CHECK(world.state(code) == MessageState::expired);
        CHECK(world.detail(code).attempts.empty());
        CHECK(world.modems.journal.submits.size() == (row.is_busy ? 2 : 1));
        // What the clock alone shows may be its being set: then what has time is given more, as the date was wrong.
        CHECK(world.detail(day).message.created_at == created + (row.paused ? 3h : 0h));
    }
}

TEST_CASE("clock: the hour of a SIM continues while the machine is suspended") {
    test::World world(three_an_hour());
    REQUIRE(world.run_until_ready());
    send_nine(world);
    REQUIRE(world.modems.journal.submits.size() == 3);
    world.clock.suspend(30min);
    world.run_for(25min);
    CHECK(world.modems.journal.submits.size() == 3);
    world.run_for(10min);
    CHECK(world.modems.journal.submits.size() == 6);
    world.clock.suspend(3h);
    world.run_for(1min);
    CHECK(world.modems.journal.submits.size() == 9);
}

TEST_CASE("clock: set forward by an hour, a message of a day has its day") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 {.kind = modem_sim::FaultKind::network_lost});
    world.run_for(1min);
    const MessageId id = world.send({.to = "+33612345601", .text = "x", .ttl_s = 86'400});
    const WallTime created = world.detail(id).message.created_at;
    world.clock.set_date(world.clock.wall() + 1h);
    world.run_for(23h + 50min);
    CHECK(world.state(id) == MessageState::queued);
    CHECK(world.detail(id).message.created_at == created + 1h);
    world.run_for(15min);
    CHECK(world.state(id) == MessageState::expired);
}

TEST_CASE("clock: set forward by less than a code has left, it ends by the machine's clock") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 {.kind = modem_sim::FaultKind::network_lost});
    world.run_for(1min);
    const MessageId code = world.send({.to = "+33612345601", .text = "x", .ttl_s = 300});
    world.clock.set_date(world.clock.wall() + 2min);
    world.run_for(2min);
    CHECK(world.state(code) == MessageState::queued);
    world.run_for(90s);
    CHECK(world.state(code) == MessageState::expired);
}

TEST_CASE(
    "clock: set back while the rack runs, who waits longer still goes first, and ends in time") {
    test::World world({.modems = 1, .service = 100ms});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 {.kind = modem_sim::FaultKind::network_lost});
    world.run_for(1min);
    const MessageId short_lived = world.send({.to = "+33612345601", .text = "x", .ttl_s = 300});
    const MessageId first = world.send({.to = "+33612345602", .text = "x", .ttl_s = 9'000});
    world.run_for(1min);
    world.clock.set_date(world.clock.wall() - 3h);
    world.run_for(1min);
    const MessageId second = world.send({.to = "+33612345603", .text = "x", .ttl_s = 9'000});
    CHECK(world.state(short_lived) == MessageState::queued);
    world.run_for(4min);
    CHECK(world.state(short_lived) == MessageState::expired);
    world.modems.modem(0).inject(world.clock.steady(),
                                 {.kind = modem_sim::FaultKind::network_back});
    REQUIRE(world.run(2min, [&] { return world.state(second) == MessageState::delivered; }));
    CHECK(world.state(first) == MessageState::delivered);
    REQUIRE(world.modems.journal.submits.size() == 2);
    CHECK(world.detail(first).attempts.at(0).started_at <=
          world.detail(second).attempts.at(0).started_at);
}
