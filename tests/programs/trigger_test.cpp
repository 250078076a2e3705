// Once per number and city with the real programs: each new pair gets its city's text, no other event does, also over kill -9.
#include "tests/programs/support/trigger_feed.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

/// With its file of cities, before the service is started.
struct CityRack {
    explicit CityRack(const FeedPlan& plan)
        : rack({.modems = 8,
                .sim_options = {"--service-ms", "20", "--report-ms", "20", "--seed", "7"},
                .config = fmt::format("[queue]\nuncertain_s = 10\n"
                                      "[[trigger]]\nname = \"welcome\"\n"
                                      "topics = {{ file = \"{}\" }}\nbatch_s = 1\n",
                                      (dir.path() / "cities.csv").string())},
               false) {
        write_cities(dir.path() / "cities.csv", plan);
        rack.start_service();
    }

    TempDir dir;
    Rack rack;
};

}  // namespace

TEST_CASE(
    "100,000 events of 40 cities with 500 new pairs: 500 messages with the right city's text, no "
    "repeat, each traced") {
    const FeedPlan plan;
    const CityRack city(plan);
    TriggerFeeder feeder(city.rack, plan);
    feeder.allow(feeder.pieces());
    const std::atomic<bool> stop = false;
    feeder.run(stop);
    CHECK(feeder.fresh() == plan.pairs);
    CHECK(feeder.seen() == plan.events - plan.pairs);
    CHECK(feeder.other() == 0);
    CHECK(wait_for(120s, [&] { return all_ended(city.rack); }));
    const PairAccount account = audit_pairs(city.rack, plan);
    CHECK(account.sent == plan.pairs);
    CHECK(account.messages == plan.pairs);
    CHECK(account.twice == 0);
    CHECK(account.wrong == 0);
}

TEST_CASE("kill -9, 3 times during a feed: each pair has one message, or one in doubt") {
    const FeedPlan plan{.events = 60'000, .pairs = 300, .events_a_piece = 1'000};
    CityRack city(plan);
    kill_during_feed(city.rack, plan, 3);
}

}  // namespace smsrack::test
