#include "src/scaling/policy.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace smsrack::scaling;

namespace {

const ScalingRules rules{.n_min = 3, .n_max = 8};  // m 20, a 0.1, b 0.7, F 3000

const Sample busy{.load = 11'000};  // of four nodes that carry 12,000
const Sample calm{.load = 4'000};

}  // namespace

TEST_CASE("soonest_out: both policies never step out before they said they might") {
    for (const PolicyName name : {PolicyName::paper, PolicyName::smsrack}) {
        for (unsigned seed = 0; seed < 200; ++seed) {
            CAPTURE(seed);
            const auto policy = make_policy(name, rules);
            std::uint32_t nodes = 4;
            std::size_t never_before = 0;  // samples from now on
            unsigned chance = seed * 2'654'435'761U + 1;
            for (int i = 0; i < 120; ++i) {
                chance = chance * 1'664'525U + 1'013'904'223U;
                const bool is_busy = (chance >> 24U) % 4 != 0 && (seed % 3 != 0 || i > 40);
                const auto decision = policy->step(is_busy ? busy : calm, nodes);
                if (decision && decision->y > decision->n) {
                    REQUIRE(never_before <= 1);
                }
                nodes = decision ? decision->y : nodes;
                never_before = policy->soonest_out();
            }
        }
    }
}

TEST_CASE("soonest_out: with each busy sample it comes nearer, and begins again with each window") {
    const auto paper = make_policy(PolicyName::paper, rules);
    const auto ours = make_policy(PolicyName::smsrack, rules);
    for (const auto& policy : {paper.get(), ours.get()}) {
        (void)policy->step(busy, 4);
    }
    CHECK(paper->soonest_out() == 19);  // the end of the window
    CHECK(ours->soonest_out() == 14);   // the 15th busy one
    for (int i = 0; i < 5; ++i) {
        (void)ours->step(calm, 4);
        (void)paper->step(calm, 4);
    }
    CHECK(paper->soonest_out() == 14);
    CHECK(ours->soonest_out() == 14);
    (void)ours->step(calm, 4);
    (void)paper->step(calm, 4);  // too many now: the next window may
    CHECK(paper->soonest_out() == 13 + 20);
    CHECK(ours->soonest_out() == 13 + 15);
}
