#include "src/dedup/confirmed_pairs.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <thread>
#include <unordered_set>
#include <vector>

namespace smsrack::dedup {
namespace {

constexpr HashKey key{3};

PairKey pair_of(std::uint64_t i) {
    return {.number = 33'600'000'000 + i / 40, .topic = static_cast<std::uint32_t>(i % 40)};
}

}  // namespace

TEST_CASE(
    "ConfirmedPairs: it takes as much memory as its pairs need, and holds all of them below its "
    "bound") {
    ConfirmedPairs cache(6'000'000, key);
    CHECK(cache.bytes() < 64 * 1'024);
    for (std::uint64_t i = 0; i < 500'000; ++i) {
        cache.insert(pair_of(i));
        if (i == 50'000) {
            CHECK(cache.bytes() < 50'000 * 12);
        }
    }
    CHECK(cache.pairs() == 500'000);
    CHECK(cache.evicted() == 0);
    CHECK(cache.bytes() <= 6'000'000);
    for (std::uint64_t i = 0; i < 500'000; ++i) {
        REQUIRE(cache.contains(pair_of(i)));
    }
}

TEST_CASE(
    "ConfirmedPairs: at its bound a new pair takes another one's place, and no answer is wrong") {
    constexpr std::size_t bytes_max = 200'000;
    ConfirmedPairs cache(bytes_max, key);
    for (std::uint64_t i = 0; i < 200'000; ++i) {
        cache.insert(pair_of(i));
        REQUIRE(cache.contains(pair_of(i)));
    }
    CHECK(cache.bytes() <= bytes_max);
    CHECK(cache.pairs() > bytes_max / 8);
    CHECK(cache.pairs() + cache.evicted() == 200'000);
    std::uint64_t held = 0;
    for (std::uint64_t i = 0; i < 400'000; ++i) {
        const bool there = cache.contains(pair_of(i));
        REQUIRE((!there || i < 200'000));
        held += there ? 1 : 0;
    }
    CHECK(held == cache.pairs());
}

TEST_CASE(
    "ConfirmedPairs: a pair is its number and its topic, up to the last of both; erased, it is "
    "gone") {
    ConfirmedPairs cache(1'000'000, key);
    const PairKey last{.number = number_end - 1, .topic = topics_max - 1};
    const PairKey neighbour{.number = number_end - 1, .topic = topics_max - 2};
    cache.insert(last);
    CHECK(cache.contains(last));
    CHECK_FALSE(cache.contains(neighbour));
    cache.erase(neighbour);
    CHECK(cache.contains(last));
    cache.erase(last);
    CHECK_FALSE(cache.contains(last));
    CHECK(cache.pairs() == 0);
}

TEST_CASE("ConfirmedPairs: without memory it keeps nothing") {
    ConfirmedPairs cache(0, key);
    cache.insert(pair_of(1));
    cache.insert(std::array{pair_of(2), pair_of(3)});
    CHECK_FALSE(cache.contains(pair_of(1)));
    CHECK(cache.pairs() == 0);
}

TEST_CASE("ConfirmedPairs: inserted, erased and asked in any order, below its bound it is a set") {
    test::SeededRandom random(5);
    ConfirmedPairs cache(1'000'000, key);
    std::unordered_set<PairKey, PairKeyHash> set;
    for (int step = 0; step < 200'000; ++step) {
        const PairKey pair = pair_of(random.below(30'000));
        REQUIRE(cache.contains(pair) == set.contains(pair));
        if (random.below(3) == 0) {
            cache.erase(pair);
            set.erase(pair);
        } else {
            cache.insert(pair);
            set.insert(pair);
        }
    }
    CHECK(cache.pairs() == set.size());
}

TEST_CASE("ConfirmedPairs: many at once are as many one by one") {
    ConfirmedPairs cache(1'000'000, key);
    std::vector<PairKey> pairs;
    for (std::uint64_t i = 0; i < 10'001; ++i) {
        pairs.push_back(pair_of(i * 3));
    }
    cache.insert(pairs);
    CHECK(cache.pairs() == pairs.size());
    std::array<PairKey, 100> asked = {};
    std::array<bool, 100> found = {};
    for (std::size_t i = 0; i < asked.size(); ++i) {
        asked[i] = pair_of(i);
    }
    cache.contains(asked, found);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        CHECK(found[i] == (i % 3 == 0));
    }
}

TEST_CASE("ConfirmedPairs: threads that insert, erase and ask don't disturb each other") {
    ConfirmedPairs cache(2'000'000, key);
    std::vector<std::jthread> threads;
    std::array<std::uint64_t, 4> wrong = {};
    for (std::size_t t = 0; t < wrong.size(); ++t) {
        threads.emplace_back([&cache, &wrong, t] {
            for (std::uint64_t i = t; i < 80'000; i += wrong.size()) {
                cache.insert(pair_of(i));
                wrong[t] += cache.contains(pair_of(i)) ? 0 : 1;
                if (i % 3 == 0) {
                    cache.erase(pair_of(i));
                    wrong[t] += cache.contains(pair_of(i)) ? 1 : 0;
                }
            }
        });
    }
    threads.clear();
    CHECK(wrong == std::array<std::uint64_t, 4>{});
    for (std::uint64_t i = 0; i < 80'000; ++i) {
        REQUIRE(cache.contains(pair_of(i)) == (i % 3 != 0));
    }
}

}  // namespace smsrack::dedup
