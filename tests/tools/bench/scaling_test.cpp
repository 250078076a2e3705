#include "src/scaling/replay.hpp"
#include "tests/support/seeded_random.hpp"
#include "tools/bench/scaling_traces.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <vector>

using namespace smsrack;
using scaling::Costs;
using scaling::PolicyName;
using scaling::ScalingRules;

namespace {

constexpr double rounding = 1e-9;

bool at_most(double ours, double paper) {
    return ours <= paper * (1 + rounding);
}

/// One window of one node.
double loan_hours(const ScalingRules& rules) {
    return static_cast<double>(rules.samples) *
           std::chrono::duration<double, std::ratio<3'600>>(rules.period).count();
}

struct Pair {
    Costs paper;
    Costs ours;
};

Pair both(const std::vector<scaling::Sample>& samples, const ScalingRules& rules) {
    return {replay(samples, PolicyName::paper, rules).costs,
            replay(samples, PolicyName::smsrack, rules).costs};
}

bool no_worse(const Pair& pair) {
    return pair.ours.changes <= pair.paper.changes &&
           at_most(pair.ours.node_hours, pair.paper.node_hours) &&
           at_most(pair.ours.wait_by_message, pair.paper.wait_by_message) &&
           at_most(pair.ours.wait_by_time, pair.paper.wait_by_time);
}

}  // namespace

TEST_CASE("policy smsrack: on none of the published traces worse, on each better in something") {
    const ScalingRules rules;
    for (const bench::NamedTrace& trace : bench::published_traces(rules)) {
        CAPTURE(trace.name);
        const auto [paper, ours] = both(trace.samples, rules);
        CHECK(no_worse({paper, ours}));
        CHECK((ours.changes < paper.changes || ours.node_hours < paper.node_hours * 0.9999 ||
               ours.wait_by_message < paper.wait_by_message * 0.9999));
    }
}

TEST_CASE("policy smsrack: the same holds for other racks") {
    for (const ScalingRules& rules :
         {ScalingRules{.n_min = 2, .n_max = 6},
          ScalingRules{.n_min = 1, .n_max = 32, .node_rate = 600},
          ScalingRules{.n_min = 2, .n_max = 16, .samples = 10, .node_rate = 1'500},
          ScalingRules{.n_min = 3, .n_max = 8, .samples = 40, .busy = 0.8}}) {
        for (const bench::NamedTrace& trace : bench::published_traces(rules)) {
            CAPTURE(trace.name);
            CAPTURE(rules.n_max);
            const bool comes_down = trace.samples.back().load < trace.samples.front().load;
            Pair pair = both(trace.samples, rules);
            if (!comes_down) {  // its last step out may be the one that took a loan
                CHECK(pair.ours.node_hours <= pair.paper.node_hours + loan_hours(rules));
                pair.ours.node_hours = pair.paper.node_hours;
            }
            CHECK(no_worse(pair));
        }
    }
}

TEST_CASE(
    "policy smsrack: over days of chance never more changes, and never more than a loan behind") {
    constexpr std::size_t days = 400;
    std::size_t worse = 0;
    std::array<double, 3> sum_paper{};
    std::array<double, 3> sum_ours{};
    for (std::size_t day = 0; day < days; ++day) {
        CAPTURE(day);
        test::SeededRandom random(day);
        ScalingRules rules;
        rules.n_min = 1 + static_cast<std::uint32_t>(random.below(4));
        rules.n_max = rules.n_min + 1 + static_cast<std::uint32_t>(random.below(12));
        rules.node_rate = day % 2 == 0 ? 0.5 : 3'000;
        auto samples = bench::random_day(rules, random);
        for (scaling::Sample& sample : samples) {
            sample.crashed = 0;
        }
        const Pair pair = both(samples, rules);
        CHECK(pair.ours.changes <= pair.paper.changes);
        CHECK(pair.ours.node_hours <= pair.paper.node_hours + loan_hours(rules));
        worse += no_worse(pair) ? 0 : 1;
        const auto add = [](std::array<double, 3>& sum, const Costs& costs) {
            sum[0] += costs.node_hours;
            sum[1] += costs.wait_by_message;
            sum[2] += costs.wait_by_time;
        };
        add(sum_paper, pair.paper);
        add(sum_ours, pair.ours);
    }
    for (std::size_t i = 0; i < sum_ours.size(); ++i) {
        CAPTURE(i);
        CHECK(sum_ours.at(i) < sum_paper.at(i));
    }
    MESSAGE("days in which anything was worse: ", worse, " of ", days);
    CHECK(worse * 20 <= days);  // a loan of a few node-minutes that the day was too short to repay
}

TEST_CASE("policy smsrack: a crash brings one in with the sample that shows it") {
    const ScalingRules rules;
    std::vector<scaling::Sample> samples(40, {.load = 5'000});
    samples[5].crashed = 1;
    samples[6].crashed = 1;  // still down: no second one
    const auto run = replay(samples, PolicyName::smsrack, rules);
    REQUIRE_FALSE(run.decisions.empty());
    CHECK(run.decisions[0].t == rules.period * 5);
    CHECK(run.decisions[0].x == 1);
    CHECK(run.decisions[0].y == 4);
    CHECK(run.decisions[0].rules.front() == scaling::Rule::crash);
    CHECK(run.costs.changes == 1);
}
