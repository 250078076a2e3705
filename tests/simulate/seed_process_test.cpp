// A seed by itself: whatever becomes of its process is a finding.
#include "tests/simulate/seed_process.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using simulate::DaysOptions;
using simulate::SeedProcess;
using namespace std::chrono_literals;

TEST_CASE("SeedProcess: what it lived is told, and nothing is wrong") {
    const DaysOptions few{.messages = 40, .inbound = 2, .faults = 2, .crashes = 1};
    const simulate::DaysResult result = SeedProcess(few, simulate::longest(few)).result();
    CHECK(result.violation.empty());
    CHECK(result.totals.days == 1);
    CHECK(result.totals.accepted > 0);
}

TEST_CASE("SeedProcess: one that does not end by itself is ended, and said to be endless") {
    const DaysOptions many{.days = 10'000};
    CHECK(SeedProcess(many, 1s).result().violation.starts_with("endless: 1 s "));
}

TEST_CASE("SeedProcess: the limit goes with the days and messages that it is to live") {
    CHECK(simulate::longest({.days = 5}) == 5 * simulate::longest({.days = 1}));
    CHECK(simulate::longest({.messages = 40'000}) > simulate::longest({.messages = 40}) + 30min);
}
