// The circular buffer of the send queue.
#include "src/queue/ring.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <deque>
#include <set>
#include <string>

using namespace smsrack;
using namespace smsrack::queue;

TEST_CASE("Ring: keeps the order of a list whose entries come and go anywhere") {
    test::SeededRandom random(5);
    for (std::size_t places = 1; places <= 9; ++places) {
        Ring<int> ring(places);
        std::deque<int> expected;
        for (int step = 0; step < 2'000; ++step) {
            if (expected.size() < places && random.below(2) == 0) {
                const std::size_t at = random.below(expected.size() + 1);
                ring.insert(at, step);
                expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(at), step);
            } else if (!expected.empty()) {
                const std::size_t at = random.below(expected.size());
                CHECK(ring.take(at) == expected[at]);
                expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
            }
            REQUIRE(ring.size() == expected.size());
            CHECK(ring.empty() == expected.empty());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                REQUIRE(ring[i] == expected[i]);
            }
            if (!expected.empty()) {
                CHECK(ring.front() == expected.front());
                CHECK(ring.back() == expected.back());
            }
        }
    }
}

TEST_CASE("Ring: uses the places that it was made with, and no others") {
    constexpr std::size_t places = 4;
    Ring<std::string> ring(places);
    std::set<const std::string*> seen;
    for (int i = 0; i < 100; ++i) {
        ring.insert(ring.size(), std::to_string(i));
        seen.insert(&ring.back());
        if (ring.size() == 3) {
            CHECK(ring.take(0) == std::to_string(i - 2));
        }
    }
    CHECK(ring.places() == places);
    CHECK(seen.size() == places);  // it went round, in the same memory
}
