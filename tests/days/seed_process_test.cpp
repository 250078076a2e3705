// A seed by itself: whatever becomes of its process is a finding.
#include "tests/days/seed_process.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <set>

using namespace smsrack;
using days::DaysOptions;
using days::SeedProcess;
using namespace std::chrono_literals;

TEST_CASE("SeedProcess: its result is reported, and nothing is wrong") {
    const DaysOptions few{.messages = 40, .inbound = 2, .faults = 2, .crashes = 1};
    const days::DaysResult result = SeedProcess(few, days::longest(few)).result();
    CHECK(result.violation.empty());
    CHECK(result.totals.days == 1);
    CHECK(result.totals.accepted > 0);
}

TEST_CASE("SeedProcess: the same seed runs the same way, event by event; another one is not") {
    const auto lived = [](std::uint64_t seed) {
        const DaysOptions days{
            .seed = seed, .messages = 800, .inbound = 60, .faults = 30, .crashes = 12};
        return SeedProcess(days, days::longest(days)).result();
    };
    std::set<std::uint64_t> fingerprints;
    for (const std::uint64_t seed : {1U, 2U}) {
        CAPTURE(seed);
        const days::DaysResult first = lived(seed);
        const days::DaysResult again = lived(seed);
        CHECK(first.violation.empty());
        CHECK(first.fingerprint == again.fingerprint);
        CHECK(first.totals.numbers() == again.totals.numbers());
        fingerprints.insert(first.fingerprint);
    }
    CHECK(fingerprints.size() == 2);
}

TEST_CASE("SeedProcess: one that does not end by itself is ended, and said to be endless") {
    const DaysOptions many{.days = 10'000};
    CHECK(SeedProcess(many, {.processor = 1s, .whole = 10min})
              .result()
              .violation.starts_with("endless: 1 s "));
}

TEST_CASE("SeedProcess: one that waits for ever is ended too, and said to be stuck") {
    SeedProcess waits({.days = 10'000}, {.processor = 10min, .whole = 2s});
    REQUIRE(::kill(waits.pid(), SIGSTOP) == 0);
    CHECK(waits.result().violation == "stuck: 2 s, and no end");
}

TEST_CASE("SeedProcess: one that was ended leaves no files") {
    std::filesystem::path home;
    {
        SeedProcess ended({.days = 10'000}, {.processor = 1s, .whole = 10min});
        home = ended.home();
        CHECK_FALSE(ended.result().violation.empty());
        CHECK_FALSE(std::filesystem::is_empty(home));
    }
    CHECK_FALSE(std::filesystem::exists(home));
}

TEST_CASE("SeedProcess: the limit goes with the days and messages that it is to live") {
    const auto processor = [](const DaysOptions& options) {
        return days::longest(options).processor;
    };
    CHECK(processor({.days = 5}) == 5 * processor({.days = 1}));
    CHECK(processor({.messages = 40'000}) > processor({.messages = 40}) + 30min);
    CHECK(days::longest({}, 4).processor == processor({}));
    CHECK(days::longest({}, 4).whole == 4 * days::longest({}).whole);
    CHECK(days::longest({}, 4, 2).whole == 2 * days::longest({}).whole);
    CHECK(days::longest({}, 4, 8).whole == days::longest({}).whole);
}
