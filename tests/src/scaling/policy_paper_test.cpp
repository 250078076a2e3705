#include "src/scaling/policy_paper.hpp"

#include "src/scaling/replay.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <vector>

using namespace smsrack::scaling;

namespace {

const ScalingRules rules{.n_min = 3, .n_max = 8};  // m 20, a 0.1, b 0.7, F 3000

/// A whole window: `first` of its samples like `one`, the rest like `other`.
Decision decided(const Sample& one, std::size_t first, const Sample& other, std::uint32_t nodes) {
    PaperPolicy policy(rules);
    for (std::size_t i = 0; i + 1 < rules.samples; ++i) {
        REQUIRE_FALSE(policy.step(i < first ? one : other, nodes));
    }
    const auto decision = policy.step(first == rules.samples ? one : other, nodes);
    REQUIRE(decision);
    return *decision;
}

/// For four nodes of 3,000: neither busy (8,400) nor idle (1,200).
constexpr double calm = 4'000;

}  // namespace

TEST_CASE("policy paper: each rule fires above its count of samples, not at it") {
    struct Row {
        const char* so;
        Sample speaks;
        std::size_t samples;  // of 20; the others are calm
        int x;
        std::vector<Rule> rules;
    };
    for (const Row& row : {
             Row{"1: 15 busy samples are above m*b = 14", {.load = 8'401}, 15, 1, {Rule::out_flow}},
             Row{"1: 14 are not", {.load = 8'401}, 14, 0, {}},
             Row{"1: a flow of exactly F*b is not above it", {.load = 8'400}, 20, 0, {}},
             Row{"1: CPU alone is no load", {.load = calm, .cpu = 1.0}, 20, 0, {}},
             Row{"1: flow alone is none either", {.load = 8'401, .cpu = 0.7}, 20, 0, {}},
             Row{"1: both are", {.load = 8'401, .cpu = 0.71}, 20, 1, {Rule::out_flow}},
             Row{"2: the store", {.load = calm, .occupancy = 0.71}, 15, 1, {Rule::out_store}},
             Row{"2: 14 are not enough", {.load = calm, .occupancy = 0.71}, 14, 0, {}},
             Row{"2: exactly b is not above it", {.load = calm, .occupancy = 0.7}, 20, 0, {}},
             Row{"3: the forecast", {.load = calm, .forecast = 8'401}, 15, 1, {Rule::out_forecast}},
             Row{"3: 14 are not enough", {.load = calm, .forecast = 8'401}, 14, 0, {}},
             Row{"3: exactly F*b is not above it", {.load = calm, .forecast = 8'400}, 20, 0, {}},
             Row{"4: 3 idle samples are above m*a = 2", {.load = 1'199}, 3, -1, {Rule::in_flow}},
             Row{"4: 2 are not", {.load = 1'199}, 2, 0, {}},
             Row{"4: a flow of exactly F*a is not below it", {.load = 1'200}, 20, 0, {}},
             Row{"4: little flow with a busy CPU is not idle", {.load = 10, .cpu = 0.9}, 20, 0, {}},
             Row{"5: the store", {.load = calm, .occupancy = 0.09}, 3, -1, {Rule::in_store}},
             Row{"5: 2 are not enough", {.load = calm, .occupancy = 0.09}, 2, 0, {}},
             Row{"5: exactly a is not below it", {.load = calm, .occupancy = 0.1}, 20, 0, {}},
             Row{"a crash in any sample", {.load = calm, .crashed = 1}, 1, 1, {Rule::crash}},
             Row{"out wins over in",
                 {.load = 8'401, .occupancy = 0.0},
                 15,
                 1,
                 {Rule::out_flow, Rule::in_store}},
             Row{"a crash wins over in",
                 {.load = 10, .crashed = 1},
                 20,
                 1,
                 {Rule::crash, Rule::in_flow}},
             Row{"nothing at all", {.load = calm}, 20, 0, {}},
         }) {
        CAPTURE(row.so);
        const Decision decision = decided(row.speaks, row.samples, {.load = calm}, 4);
        CHECK(decision.n == 4);
        CHECK(decision.x == row.x);
        CHECK(decision.y == static_cast<std::uint32_t>(4 + row.x));
        CHECK(decision.rules == row.rules);
    }
}

TEST_CASE("policy paper: Y stays within N_min and N_max, X is what it was before") {
    const Decision most = decided({.load = 30'000}, 20, {}, 8);
    CHECK(most.x == 1);
    CHECK(most.y == 8);
    const Decision fewest = decided({.load = 1}, 20, {}, 3);
    CHECK(fewest.x == -1);
    CHECK(fewest.y == 3);
}

TEST_CASE("policy paper: the first decision is made with sample number m, each window by itself") {
    PaperPolicy policy(rules);
    std::vector<Decision> decisions;
    for (int i = 0; i < 60; ++i) {
        // 14 busy samples at the end of one window and 14 at the begin of the next: in none above 14
        const bool busy = i >= 6 && i < 34;
        if (const auto decision = policy.step({.load = busy ? 9'000.0 : calm}, 4)) {
            decisions.push_back(*decision);
        }
    }
    REQUIRE(decisions.size() == 3);
    CHECK(decisions[0].t == std::chrono::seconds(570));
    CHECK(decisions[1].t == std::chrono::seconds(1'170));
    for (const Decision& decision : decisions) {
        CHECK(decision.x == 0);
    }
}

TEST_CASE("policy paper: the published run goes 3 -> 3 -> 4 -> 6, and CPU alone moves nothing") {
    for (const bool cpu_moves : {false, true}) {
        CAPTURE(cpu_moves);
        std::vector<Sample> samples;
        for (const double load : {10.0, 5'000.0, 8'000.0, 12'000.0}) {
            for (int i = 0; i < 60; ++i) {
                Sample sample{.load = load};
                if (cpu_moves && load < 8'000) {
                    sample.cpu = i % 2 == 0 ? 0.99 : 0.2;
                }
                samples.push_back(sample);
            }
        }
        const Replay run = replay(samples, PolicyName::paper, rules);
        REQUIRE(run.decisions.size() == 12);
        CHECK(run.decisions[2].y == 3);
        CHECK(run.decisions[5].y == 3);
        CHECK(run.decisions[8].y == 4);
        CHECK(run.decisions[11].y == 6);
        CHECK(run.costs.changes == 3);
    }
}

TEST_CASE("decision: its words say what was counted, and what was not followed") {
    CHECK(words(decided({.load = 8'401}, 16, {.load = calm}, 4), rules) ==
          "4 -> 5: in 16 of 20 samples the nodes had above 70 % to do");
    CHECK(words(decided({.load = 1}, 20, {}, 3), rules) ==
          "stays at 3: in 20 of 20 samples the nodes had below 10 % to do; but 3 is the fewest "
          "allowed");
    CHECK(words(decided({.load = calm}, 20, {}, 4), rules) ==
          "stays at 4: the nodes are neither busy nor idle");
}
