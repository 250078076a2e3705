#include "tools/rig/arrivals.hpp"

#include "tools/modem_model/faults/split_mix.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("arrivals: even ones come in equal steps, the first at once") {
    CHECK(rig::even_arrivals(4, 5) == rig::Arrivals{0ms, 250ms, 500ms, 750ms, 1000ms});
    CHECK(rig::even_arrivals(4, 0).empty());
}

TEST_CASE("arrivals: steps do not add up their rounding") {
    const auto all = rig::even_arrivals(12'000, 720'000);
    CHECK(all.back() > 59'999ms);
    CHECK(all.back() < 60s);
}

TEST_CASE("arrivals: random ones rise, and their gaps are exponential") {
    modem_sim::SplitMix chance(7);
    constexpr std::size_t count = 20'000;
    const auto all = rig::random_arrivals(100, count, chance);
    REQUIRE(all.size() == count);
    CHECK(std::ranges::is_sorted(all));
    const double mean_s = std::chrono::duration<double>(all.back()).count() / count;
    CHECK(mean_s == doctest::Approx(0.01).epsilon(0.03));
    // A share of 1/e of the gaps is longer than their mean.
    std::size_t longer = 0;
    for (std::size_t i = 1; i < count; ++i) {
        longer += all[i] - all[i - 1] > 10ms ? 1 : 0;
    }
    CHECK(static_cast<double>(longer) / count == doctest::Approx(0.3679).epsilon(0.03));
}

TEST_CASE("arrivals: the same seed gives the same ones, another seed others") {
    const auto drawn = [](std::uint64_t seed) {
        modem_sim::SplitMix chance(seed);
        return rig::random_arrivals(3.86, 10, chance);
    };
    CHECK(drawn(1) == drawn(1));
    CHECK(drawn(1) != drawn(2));
}
