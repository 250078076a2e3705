#include "src/base/time_text.hpp"
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <set>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::string number(int i) {
    return fmt::format("+3361{:07}", i);
}

std::vector<MessageId> send_many(test::World& world, int count, int first = 0) {
    std::vector<MessageId> ids;
    for (int i = 0; i < count; ++i) {
        ids.push_back(world.send({.to = number(first + i), .text = "hello", .ttl_s = 5'000'000}));
    }
    return ids;
}

bool all_ended(test::World& world, const std::vector<MessageId>& ids) {
    return world.all_are(ids, MessageState::delivered);
}

std::size_t submits_of(const test::World& world, unsigned modem) {
    return static_cast<std::size_t>(
        std::ranges::count(world.modems.journal.submits, modem, &test::Submitted::modem));
}

/// The most that one SIM sent within any `window`.
std::size_t most_within(const test::World& world, unsigned modem, SteadyTime::duration window) {
    std::vector<SteadyTime> times;
    for (const test::Submitted& submit : world.modems.journal.submits) {
        if (submit.modem == modem) {
            times.push_back(submit.at);
        }
    }
    std::size_t most = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        std::size_t end = i;
        while (end < times.size() && times[end] < times[i] + window) {
            ++end;
        }
        most = std::max(most, end - i);
    }
    return most;
}

WallTime moment(const char* text) {
    const auto time = time_of(text);
    REQUIRE(time);
    return *time;
}

}  // namespace

TEST_CASE("quota: no minute of a SIM holds more than its limit, over restarts too") {
    test::World world({.modems = 2, .service = 200ms, .modem_toml = "quota = { per_minute = 6 }"});
    REQUIRE(world.run_until_ready());
    const auto ids = send_many(world, 40);
    for (int restarts = 0; restarts < 4; ++restarts) {
        world.run_for(17s);
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
    }
    CHECK(world.run(10min, [&] { return world.modems.journal.submits.size() >= 40; }));
    for (const unsigned modem : {0U, 1U}) {
        CAPTURE(modem);
        // What is counted begins with AT+CMGS; the network takes it a little later.
        CHECK(most_within(world, modem, 59s) <= 6);
        CHECK(submits_of(world, modem) > 12);
    }
}

TEST_CASE("quota: a line takes by itself up to its limit and no attempt is begun in vain") {
    test::World world({.modems = 1, .service = 100ms, .modem_toml = "quota = { per_hour = 5 }"});
    REQUIRE(world.run_until_ready());
    const auto ids = send_many(world, 8);
    world.run_for(2min);
    CHECK(world.modems.journal.submits.size() == 5);
    const auto lines = world.rack().lines();
    REQUIRE(lines[0].quota);
    CHECK(lines[0].quota->left.at(1) == 0);
    REQUIRE(lines[0].pause);
    CHECK(lines[0].pause->reason == "quota");
    CHECK(world.detail(ids[7]).attempts.empty());
    CHECK(world.state(ids[7]) == MessageState::queued);
    CHECK(world.run(62min, [&] { return all_ended(world, ids); }));
    CHECK(most_within(world, 0, 59min) <= 5);
}

TEST_CASE("quota: a group skips a SIM without quota, and waits when all are spent") {
    test::World world({.modems = 3, .service = 100ms, .modem_toml = "quota = { per_day = 4 }"});
    REQUIRE(world.run_until_ready());
    const auto ids = send_many(world, 13);
    world.run_for(2min);
    for (const unsigned modem : {0U, 1U, 2U}) {
        CHECK(submits_of(world, modem) == 4);
    }
    const auto pause = world.rack().group_pause("default", 1, number(99));
    REQUIRE(pause);
    CHECK(pause->reason == "quota");
    REQUIRE(pause->until);
    CHECK(time_text(*pause->until) == "2026-01-02T00:00:00.000Z");
    CHECK(world.run(24h, [&] { return all_ended(world, ids); }));
    CHECK(world.clock.wall() >= moment("2026-01-02T00:00:00Z"));
    CHECK_FALSE(world.rack().group_pause("default", 1, number(99)));
}

TEST_CASE("quota: a day ends at the zone's midnight, on the day of summer time too") {
    struct Row {
        const char* so;
        const char* start;
        const char* midnight;
    };
    for (const Row& row :
         {Row{"winter", "2026-01-15T22:00:00Z", "2026-01-15T23:00:00Z"},
          Row{"the day of 23 hours", "2026-03-28T23:30:00Z", "2026-03-29T22:00:00Z"},
          Row{"the day of 25 hours", "2026-10-24T22:30:00Z", "2026-10-25T23:00:00Z"}}) {
        CAPTURE(row.so);
        test::World world({.modems = 1,
                           .service = 100ms,
                           .toml = "[defaults]\nquota_zone = \"Europe/Paris\"\n",
                           .modem_toml = "quota = { per_day = 2 }"});
        world.clock.set_date(moment(row.start));
        REQUIRE(world.run_until_ready());
        const auto ids = send_many(world, 3);
        world.run(26h, [&] { return all_ended(world, ids); });
        CHECK(all_ended(world, ids));
        CHECK(world.clock.wall() >= moment(row.midnight));
        CHECK(world.clock.wall() < moment(row.midnight) + 1min);
    }
}

TEST_CASE("quota: kill -9 between two segments never gives a SIM more than its day") {
    for (const auto after : {300ms, 700ms, 1'100ms, 1'500ms, 1'900ms}) {
        CAPTURE(after.count());
        test::World world({.modems = 1, .service = 200ms, .modem_toml = "quota = { per_day = 7 }"});
        REQUIRE(world.run_until_ready());
        (void)send_many(world, 20);
        world.run_for(after);
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
        world.run_for(2min);
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
        world.run_for(2min);
        CHECK(world.modems.journal.submits.size() <= 7);
        CHECK(world.modems.journal.submits.size() >= 5);  // a crash may waste what it cut off
    }
}

TEST_CASE("quota: a long message waits for room for all its segments") {
    test::World world({.modems = 1, .service = 100ms, .modem_toml = "quota = { per_minute = 4 }"});
    REQUIRE(world.run_until_ready());
    world.send(number(1), "one");
    world.send(number(2), "two");
    const MessageId id = world.send(number(3), std::string(400, 'x'));  // three segments
    const MessageId last = world.send(number(4), "last");
    world.run_for(30s);
    CHECK(world.state(id) == MessageState::queued);
    CHECK(world.state(last) == MessageState::queued);  // it does not eat up the room
    CHECK(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(world.run(90s, [&] { return world.state(last) == MessageState::delivered; }));
}

TEST_CASE("quota: a message longer than the limit goes out piece by piece, on one SIM") {
    test::World world({.modems = 2, .service = 100ms, .modem_toml = "quota = { per_minute = 2 }"});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send(number(1), std::string(700, 'x'));  // five segments
    CHECK(world.run(4min, [&] { return world.state(id) == MessageState::delivered; }));
    std::set<unsigned> modems;
    for (const test::Submitted& submit : world.modems.journal.submits) {
        modems.insert(submit.modem);
    }
    CHECK(modems.size() == 1);
    CHECK(world.modems.journal.submits.size() == 5);
    CHECK(most_within(world, *modems.begin(), 59s) <= 2);
}

TEST_CASE("quota: without recipients left, known ones are still sent to, past those that wait") {
    test::World world(
        {.modems = 2, .service = 100ms, .modem_toml = "quota = { recipients_per_month = 2 }"});
    world.clock.set_date(moment("2026-01-31T22:00:00Z"));
    REQUIRE(world.run_until_ready());
    const auto first = send_many(world, 20);
    world.run_for(60s);
    std::set<std::string> reached;
    for (const test::Submitted& submit : world.modems.journal.submits) {
        reached.insert(submit.to);
    }
    CHECK(reached.size() == 4);
    for (const std::string& to : reached) {
        const MessageId id = world.send(to, "again");
        CHECK(world.run(30s, [&] { return world.state(id) == MessageState::delivered; }));
    }
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    world.run_for(60s);
    CHECK(world.modems.journal.submits.size() == 8);
    const auto pause = world.rack().group_pause("default", 1, number(99));
    REQUIRE(pause);
    CHECK(pause->until == moment("2026-02-01T00:00:00Z"));
    CHECK_FALSE(world.rack().group_pause("default", 1, *reached.begin()));
    CHECK(world.run(3h, [&] { return world.modems.journal.submits.size() > 8; }));
    CHECK(world.clock.wall() >= moment("2026-02-01T00:00:00Z"));
    world.run_for(60s);
    CHECK(world.modems.journal.submits.size() == 12);
}

TEST_CASE("cooling: a SIM refused three times in a row rests; the others carry on; it comes back") {
    test::World world({.modems = 2, .service = 200ms, .toml = "[queue]\nretry_limit = 20\n"});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 {.kind = modem_sim::FaultKind::cms_error, .count = 3, .code = 38});
    const auto ids = send_many(world, 30);
    REQUIRE(world.run(60s, [&] { return world.rack().lines()[0].pause.has_value(); }));
    const SteadyTime cools = world.clock.steady();
    const auto pause = world.rack().lines()[0].pause;
    CHECK(pause->reason == "cooling");
    REQUIRE(pause->until);
    CHECK(*pause->until > world.clock.wall() + 59s);
    CHECK(*pause->until <= world.clock.wall() + 60s);
    const std::size_t before = submits_of(world, 0);
    CHECK(world.run(50s, [&] { return all_ended(world, ids); }));
    CHECK(submits_of(world, 0) == before);
    CHECK(world.run(60s, [&] { return !world.rack().lines()[0].pause; }));
    CHECK(world.clock.steady() >= cools + 60s);
    const auto more = send_many(world, 4, 100);
    CHECK(world.run(60s, [&] { return all_ended(world, more); }));
    CHECK(submits_of(world, 0) > before);
}

TEST_CASE("cooling: a SIM that stays barred rests longer each time and is asked once between") {
    test::World world({.modems = 1,
                       .service = 100ms,
                       .toml = "[queue]\nretry_limit = 100\nretry_base_s = 1\ncool_s = "
                               "100\ncool_max_s = 300\n"});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 {.kind = modem_sim::FaultKind::cms_error, .count = 5, .code = 8});
    const auto ids = send_many(world, 6);
    // refused 3 times, rests 100 s, refused, 200 s, refused, 300 s, then taken
    CHECK_FALSE(world.run(590s, [&] { return !world.modems.journal.submits.empty(); }));
    CHECK(world.run(300s, [&] { return all_ended(world, ids); }));
}
