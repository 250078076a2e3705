#include "src/queue/start_spacing.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <vector>

using namespace smsrack;
using namespace smsrack::queue;
using namespace std::chrono_literals;

namespace {

struct Lines {
    std::size_t count = 8;
    std::chrono::milliseconds service = 500ms;
    std::chrono::milliseconds jitter{0};  ///< of each service, to both sides
    double measured_variation = 0;
    std::chrono::milliseconds apart{0};  ///< first starts
};

struct Seen {
    std::size_t messages = 0;
    std::size_t rests = 0;
    std::chrono::nanoseconds longest_rest{0};
    std::chrono::nanoseconds longest_gap{0};  ///< between two ends, in the last tenth
    /// From one rest of a line to its next.
    SteadyTime::duration soonest_again = SteadyTime::duration::max();
};

/// Lines that are never idle, as long as that.
Seen run(const Lines& lines, std::chrono::seconds length) {
    test::SeededRandom random(1);
    StartSpacing spacing;
    spacing.follow(spacing_rule(lines.service, lines.measured_variation, 16, lines.count));
    std::vector<SteadyTime> ends(lines.count);
    for (std::size_t i = 0; i < lines.count; ++i) {
        ends[i] = SteadyTime(lines.service + i * lines.apart);
    }
    Seen seen;
    std::vector<SteadyTime> rested(lines.count, SteadyTime::min());
    SteadyTime before(length * 9 / 10);
    while (true) {
        SteadyTime& end = *std::ranges::min_element(ends);
        if (end > SteadyTime(length)) {
            return seen;
        }
        if (end > before) {
            seen.longest_gap = std::max(seen.longest_gap, end - before);
            before = end;
        }
        ++seen.messages;
        const auto line = static_cast<std::size_t>(&end - ends.data());
        const auto rest = spacing.rest(ModemId{static_cast<std::uint16_t>(line)}, end);
        if (rest.count() > 0) {
            ++seen.rests;
            if (rested[line] != SteadyTime::min()) {
                seen.soonest_again = std::min(seen.soonest_again, end - rested[line]);
            }
            rested[line] = end;
        }
        seen.longest_rest = std::max(seen.longest_rest, rest);
        const auto swing = std::chrono::milliseconds(
            lines.jitter.count() == 0 ? 0
                                      : static_cast<int>(random.below(static_cast<std::uint64_t>(
                                            2 * lines.jitter.count() + 1))));
        end += rest + lines.service - lines.jitter + swing;
    }
}

}  // namespace

TEST_CASE("StartSpacing: lines that began in step come apart, and then rest no more") {
    struct Case {
        std::size_t lines;
        std::chrono::milliseconds service;
        std::chrono::seconds within;
    };
    for (const Case& one :
         {Case{2, 500ms, 120s}, Case{8, 500ms, 75s}, Case{8, 3s, 720s}, Case{32, 500ms, 960s}}) {
        CAPTURE(one.lines);
        CAPTURE(one.service);
        const Seen begin = run({.count = one.lines, .service = one.service}, one.within);
        const Seen twice = run({.count = one.lines, .service = one.service}, 2 * one.within);
        CHECK(begin.longest_gap < one.service / one.lines + one.service / 10);
        CHECK(begin.rests > 0);
        CHECK(twice.rests == begin.rests);
        // A line's share of the time, once for each pair of lines at most.
        CHECK(begin.rests <= one.lines * (one.lines - 1) / 2);
        CHECK(begin.longest_rest <= one.service / one.lines);
    }
}

TEST_CASE("StartSpacing: without it lines in step stay in step") {
    const Seen seen = run({.measured_variation = 0.06}, 120s);
    CHECK(seen.rests == 0);
    CHECK(seen.longest_gap == 500ms);
}

TEST_CASE("StartSpacing: what it costs is bounded, however the services vary") {
    for (const auto jitter : {0ms, 1ms, 20ms, 200ms}) {
        CAPTURE(jitter);
        const Seen seen = run({.jitter = jitter}, 1000s);
        const double possible = 8 * 1000 / 0.5;
        CHECK(static_cast<double>(seen.messages) > possible * (1 - 1.0 / (8 * spacing_cost)) - 16);
        CHECK(seen.rests <= 1000s / (spacing_cost * 62ms));
        // No line pays much more than the others.
        CHECK(seen.soonest_again >= line_rests_after * 500ms);
    }
}

TEST_CASE("StartSpacing: lines that are apart never rest") {
    CHECK(run({.apart = 62ms}, 120s).rests == 0);
}

TEST_CASE("spacing: only of several lines whose submits are known to take the same time") {
    struct Case {
        std::chrono::milliseconds service;
        double variation;
        std::size_t samples;
        std::size_t lines;
        std::chrono::milliseconds gap;
        std::chrono::milliseconds every;
    };
    for (const Case& one :
         {Case{500ms, 0, 16, 5, 95ms, 3200ms}, Case{500ms, 0.05, 512, 5, 95ms, 3200ms},
          Case{500ms, 0.051, 512, 5, 0ms, 0ms}, Case{500ms, 0, 15, 5, 0ms, 0ms},
          Case{500ms, 0, 16, 1, 0ms, 0ms}, Case{99ms, 0, 16, 5, 0ms, 0ms}}) {
        const SpacingRule rule = spacing_rule(one.service, one.variation, one.samples, one.lines);
        CHECK(rule.gap == one.gap);
        CHECK(rule.every == one.every);
        CHECK(rule.again == (one.every.count() == 0 ? 0ms : line_rests_after * one.service));
    }
}
