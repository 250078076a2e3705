#include "tools/rig/spread.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace smsrack;

TEST_CASE("percentile: the nearest rank, always a sample that was measured") {
    const std::vector<double> hundred = [] {
        std::vector<double> all(100);
        std::iota(all.begin(), all.end(), 1.0);
        return all;
    }();
    struct Case {
        const char* so;
        std::vector<double> samples;
        double share;
        double expected;
    };
    for (const Case& one : {
             Case{"half of a hundred", hundred, 0.5, 50},
             Case{"99 of a hundred are not above it", hundred, 0.99, 99},
             Case{"a share between two ranks takes the higher", hundred, 0.985, 99},
             Case{"everything", hundred, 1, 100},
             Case{"nothing is the first", hundred, 0, 1},
             Case{"one sample is all", {7}, 0.99, 7},
             Case{"the lower of two in the middle", {1, 2}, 0.5, 1},
         }) {
        CAPTURE(one.so);
        CHECK(rig::percentile(one.samples, one.share) == one.expected);
    }
}

TEST_CASE("spread_of: order does not matter, and the worst is kept") {
    const auto spread = rig::spread_of({5, 1, 3, 100, 1});
    CHECK(spread.count == 5);
    CHECK(spread.mean == doctest::Approx(22));
    CHECK(spread.p50 == 3);
    CHECK(spread.p99 == 100);
    CHECK(spread.max == 100);
}

TEST_CASE("spread_of: no samples have no spread") {
    CHECK(rig::spread_of({}).count == 0);
    CHECK(rig::spread_of({}).max == 0);
}
