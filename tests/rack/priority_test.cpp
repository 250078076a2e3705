#include "tests/rack/support/priority_run.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::Arrival;
using test::PriorityLoad;
using test::PriorityRun;

namespace {

/// 2 s to wait at most in each level.
AgeingRules quick() {
    AgeingRules rules;
    rules.max_wait.fill(2s);
    return rules;
}

/// The lines are busy with more of the top's own than they can send, all the time.
void add_flood(std::vector<Arrival>& arrivals, std::chrono::seconds length, unsigned modems) {
    for (auto at = 0s; at < length; at += 2s) {
        arrivals.push_back({at, level_max, modems * 4});  // 2 s carry 3.7 of each
    }
    std::ranges::stable_sort(arrivals, {}, &Arrival::at);
}

std::vector<Arrival> random_arrivals(test::SeededRandom& random, std::size_t times) {
    std::vector<Arrival> arrivals;
    for (std::size_t i = 0; i < times; ++i) {
        arrivals.push_back({std::chrono::milliseconds(random.below(40'000)),
                            static_cast<Level>(random.below(level_count)),
                            1 + static_cast<std::size_t>(random.below(8))});
    }
    std::ranges::stable_sort(arrivals, {}, &Arrival::at);
    return arrivals;
}

void check_order(const PriorityRun& run, const PriorityLoad& load) {
    CHECK(run.missing == 0);
    CHECK(test::overtakings(run, load.ageing) == 0);
    CHECK(test::turns_too_many(run) == 0);
}

}  // namespace

TEST_CASE("priority: random loads go out by the place of each message: level, lane and entry") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        test::SeededRandom random(seed);
        PriorityLoad load{.modems = 2 + static_cast<unsigned>(random.below(3)), .seed = seed};
        for (auto& wait : load.ageing.max_wait) {
            wait = std::chrono::milliseconds(random.below(15'000));
        }
        load.arrivals = random_arrivals(random, 60);
        const PriorityRun run = test::run_priority(load);
        check_order(run, load);
        CHECK(run.doubts == 0);
    }
}

TEST_CASE("priority: it holds over a crash at a random moment") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        test::SeededRandom random(100 + seed);
        PriorityLoad load{.modems = 2, .ageing = quick(), .seed = seed};
        load.arrivals = random_arrivals(random, 40);
        load.crash = std::chrono::milliseconds(1'000 + random.below(60'000));
        const PriorityRun run = test::run_priority(load);
        check_order(run, load);
        CHECK(run.doubts <= load.modems);  // what was in a modem's hand
    }
}

TEST_CASE(
    "priority: a campaign larger than memory ends under a flood, within 8 services of all lines "
    "for each before it") {
    for (const bool crash : {false, true}) {
        CAPTURE(crash);
        PriorityLoad load{.modems = 4, .ageing = quick(), .arrivals = {{0ms, 1, 150}}};
        add_flood(load.arrivals, 200s, load.modems);
        if (crash) {
            load.crash = 37'311ms;
        }
        const PriorityRun run = test::run_priority(load);
        check_order(run, load);
        CHECK(run.sent.size() > 1'500);
        // What a modem has in flight is not interrupted, and a restarted one has to get ready.
        CHECK(test::beyond_bound(run, load) <= test::priority_service + (crash ? 10s : 0s));
        const auto campaign = std::ranges::count_if(run.sent, [](const auto& sent) {
            return sent.turn.first == 1 && standing(quick(), sent.turn, sent.started).promoted;
        });
        CHECK(campaign > 100);  // the bound is tried out
    }
}

TEST_CASE(
    "priority: a code finds the next line that gets free, although a campaign is long past its "
    "wait") {
    PriorityLoad load{.modems = 8, .ageing = quick(), .arrivals = {{0ms, 1, 600}}};
    for (int i = 0; i < 20; ++i) {
        load.arrivals.push_back({std::chrono::milliseconds(14'000 + 1'013 * i), 6, 1});
    }
    const PriorityRun run = test::run_priority(load);
    check_order(run, load);
    for (const auto& sent : run.sent) {
        if (sent.turn.first == level_max) {
            CHECK(sent.started - sent.turn.since <= test::priority_service);
        }
    }
}

TEST_CASE("priority: without ageing a lower level waits for all above it") {
    PriorityLoad load{.modems = 2, .ageing = quick(), .arrivals = {{0ms, 1, 20}}};
    load.ageing.on = false;
    add_flood(load.arrivals, 30s, load.modems);
    const PriorityRun run = test::run_priority(load);
    check_order(run, load);
    // What was in flight when the flood came is no harm; after it the rest goes.
    const auto is_code = [](const auto& sent) { return sent.turn.first == level_max; };
    const auto last_code = std::ranges::find_if(run.sent.rbegin(), run.sent.rend(), is_code);
    CHECK(std::ranges::count_if(last_code, run.sent.rend(),
                                [&](const auto& sent) { return !is_code(sent); }) <= load.modems);
    CHECK(std::ranges::count_if(run.sent, is_code) > 100);
}

TEST_CASE("priority: a kept line takes only the top levels, whatever waits and however long") {
    PriorityLoad load{.modems = 3, .ageing = quick(), .arrivals = {{0ms, 1, 60}}};
    load.reserve = "reserve = { level = 5, lines = 1 }";
    load.arrivals.push_back({5s, 4, 5});
    for (int i = 0; i < 10; ++i) {
        load.arrivals.push_back(
            {std::chrono::milliseconds(6'000 + 1'511 * i), static_cast<Level>(5 + i % 2), 1});
    }
    const PriorityRun run = test::run_priority(load);
    CHECK(run.missing == 0);
    for (const auto& sent : run.sent) {
        CAPTURE(int{sent.turn.first});
        if (sent.turn.first >= 5) {
            CHECK(sent.started - sent.turn.since <= 150ms);  // a free line at once
        } else {
            CHECK(sent.modem != 2);
        }
    }
}

TEST_CASE("priority: a campaign that falls due all at once leaves a code its place in memory") {
    for (const bool restart : {false, true}) {
        CAPTURE(restart);
        test::World world({.modems = 2});
        REQUIRE(world.run_until_ready());
        std::vector<intake::SubmitRequest> campaign;
        for (int i = 0; i < 900; ++i) {  // more than all slots of the rack
            campaign.push_back({.to = fmt::format("+3361{:07}", i),
                                .text = "hello",
                                .priority = 1,
                                .not_before = world.clock.wall() + 10s});
        }
        const auto ids = world.send_all(campaign);
        world.run_for(15s);
        if (restart) {
            world.crash_and_restart();
            REQUIRE(world.run_until_ready());
        }
        CHECK(world.state(ids.back()) == MessageState::queued);
        const MessageId code =
            world.send({.to = "+33612345678", .text = "code", .priority = level_max});
        CHECK(world.run(2 * test::priority_service,
                        [&] { return world.state(code) >= MessageState::sent; }));
        REQUIRE(world.run(10min, [&] { return world.state(ids.back()) >= MessageState::sent; }));
        CHECK(world.modems.journal.submits.back().to == "+33610000899");
    }
}

TEST_CASE("priority: a code does not wait for a whole service behind lines that began in step") {
    PriorityLoad load{.modems = 8, .ageing = quick()};
    load.arrivals.push_back({.at = 0s, .level = 1, .count = 2'000});
    // While the campaign is at the top, and the lines are apart.
    for (std::size_t i = 0; i < 40; ++i) {
        load.arrivals.push_back(
            {.at = 70s + i * 1s + std::chrono::milliseconds(13 * i), .level = level_max});
    }
    const PriorityRun run = test::run_priority(load);
    CHECK(run.missing == 0);
    std::chrono::milliseconds longest{0};
    WallTime first = WallTime::max();
    WallTime last = WallTime::min();
    for (const test::PrioritySent& sent : run.sent) {
        first = std::min(first, sent.started);
        last = std::max(last, sent.started);
        if (sent.turn.first == level_max) {
            longest = std::max(longest, sent.started - sent.turn.since);
        }
    }
    CHECK(longest < 250ms);  // in step: up to 540
    // 2,040 messages on 8 lines of 540 ms at the most: nothing to speak of is lost to the rests.
    CHECK(last - first < 254 * test::priority_service * 101 / 100);
}
