// kill -9 again and again during a feed of a million events.
#include "tests/programs/support/trigger_feed.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

namespace smsrack::test {

TEST_CASE("kill -9, 20 times during 1,000,000 events: each pair has one message, or one in doubt") {
    const FeedPlan plan{.events = 1'000'000, .pairs = 3'000, .events_a_piece = 2'000};
    const TempDir dir;
    write_cities(dir.path() / "cities.csv", plan);
    Rack rack({.modems = 8,
               .sim_options = {"--service-ms", "20", "--report-ms", "20", "--seed", "7"},
               .config = fmt::format("[queue]\nuncertain_s = 10\n"
                                     "[[trigger]]\nname = \"welcome\"\n"
                                     "topics = {{ file = \"{}\" }}\nbatch_s = 1\n",
                                     (dir.path() / "cities.csv").string())});
    kill_during_feed(rack, plan, 20);
}

}  // namespace smsrack::test
