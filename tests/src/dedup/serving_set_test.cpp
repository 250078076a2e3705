#include "src/dedup/serving_set.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <iterator>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace smsrack::dedup {
namespace {

constexpr HashKey key{9};
constexpr std::uint32_t topics = 4;

PairKey pair_of(std::uint64_t i) {
    return {.number = 33'600'000'000 + i / topics, .topic = static_cast<std::uint32_t>(i % topics)};
}

std::vector<PairKey> pairs_of(std::uint64_t begin, std::uint64_t end) {
    std::vector<PairKey> pairs;
    for (std::uint64_t i = begin; i < end; ++i) {
        pairs.push_back(pair_of(i));
    }
    return pairs;
}

std::uint64_t missing(const ServingSet& set, std::uint64_t begin, std::uint64_t end) {
    const std::vector<PairKey> pairs = pairs_of(begin, end);
    std::vector<Held> held(pairs.size());
    set.find(pairs, held);
    std::uint64_t missed = 0;
    for (const Held one : held) {
        missed += one == Held::no ? 1 : 0;
    }
    return missed;
}

}  // namespace

TEST_CASE("ServingSet: each topic has its own numbers") {
    ServingSet set({.capacity = 1'000, .fp_rate = 1e-4}, key);
    CHECK(set.find({.number = 5, .topic = 3}) == Held::no);
    CHECK(set.topics().empty());
    std::array<Held, 3> held = {};
    set.test_and_insert(
        std::array{PairKey{.number = 5, .topic = 3}, PairKey{.number = 5, .topic = 90},
                   PairKey{.number = 5, .topic = 3}},
        held);
    CHECK(held == std::array{Held::no, Held::no, Held::yes});
    CHECK(set.find({.number = 5, .topic = 4}) == Held::no);
    REQUIRE(set.topics().size() == 2);
    CHECK(set.topics()[0].topic == 3);
    CHECK(set.topics()[0].keys == 1);
    CHECK(set.topics()[1].topic == 90);
    set.erase({.number = 5, .topic = 3});
    CHECK(set.find({.number = 5, .topic = 3}) == Held::no);
    CHECK(set.find({.number = 5, .topic = 90}) == Held::yes);
    CHECK(set.bytes() > 0);
}

TEST_CASE("ServingSet: a rebuild forgets what has no record any more, and nothing else") {
    ServingSet set({.capacity = 100'000, .fp_rate = 1e-3}, key);
    set.insert(pairs_of(0, 400'000));
    auto rebuild = set.begin_rebuild();
    REQUIRE(rebuild);
    rebuild->add(pairs_of(200'000, 400'000));
    CHECK(missing(set, 0, 400'000) == 0);
    REQUIRE(rebuild->commit());
    CHECK(missing(set, 200'000, 400'000) == 0);
    CHECK(missing(set, 0, 200'000) > 199'000);
    CHECK(set.topics().size() == topics);
}

TEST_CASE("ServingSet: what a rebuild finds is one generation again") {
    ServingSet set({.capacity = 80'000, .fp_rate = 1e-3}, key);
    set.insert(pairs_of(0, topics * 200'000));
    REQUIRE(set.topics()[0].generations > 1);
    auto rebuild = set.begin_rebuild();
    REQUIRE(rebuild);
    rebuild->add(pairs_of(0, topics * 70'000));
    REQUIRE(rebuild->commit());
    CHECK(set.topics()[0].generations == 1);
    CHECK(missing(set, 0, topics * 70'000) == 0);
}

TEST_CASE("ServingSet: one rebuild at a time; one that is dropped changes nothing") {
    ServingSet set({.capacity = 1'000, .fp_rate = 0}, key);
    set.insert(pairs_of(0, 100));
    {
        auto first = set.begin_rebuild();
        REQUIRE(first);
        const auto second = set.begin_rebuild();
        REQUIRE_FALSE(second);
        CHECK(second.error().code == Errc::busy);
        set.insert(pairs_of(100, 200));
    }
    CHECK(missing(set, 0, 200) == 0);
    CHECK(set.begin_rebuild().has_value());
}

TEST_CASE("ServingSet: of one topic the others are left as they are") {
    ServingSet set({.capacity = 1'000, .fp_rate = 0}, key);
    set.insert(pairs_of(0, 400));
    auto rebuild = set.begin_rebuild(1);
    REQUIRE(rebuild);
    rebuild->add(pairs_of(200, 400));
    set.insert(PairKey{.number = 77, .topic = 2});
    REQUIRE(rebuild->commit());
    for (std::uint64_t i = 0; i < 400; ++i) {
        const bool dropped = pair_of(i).topic == 1 && i < 200;
        CHECK(set.find(pair_of(i)) == (dropped ? Held::no : Held::yes));
    }
    CHECK(set.find({.number = 77, .topic = 2}) == Held::yes);
}

TEST_CASE("ServingSet: a topic that was never there can be rebuilt") {
    ServingSet set({.capacity = 1'000, .fp_rate = 0}, key);
    auto rebuild = set.begin_rebuild(5);
    REQUIRE(rebuild);
    REQUIRE(rebuild->commit());
    CHECK(set.find({.number = 1, .topic = 5}) == Held::no);
}

TEST_CASE(
    "ServingSet: pairs given back during a rebuild stay given back, though their records were read "
    "before") {
    ServingSet set({.capacity = 1'000, .fp_rate = 0}, key);
    set.insert(pairs_of(0, 100));
    auto rebuild = set.begin_rebuild();
    REQUIRE(rebuild);
    set.erase(pair_of(1));
    set.erase(pair_of(2));
    rebuild->add(pairs_of(0, 100));
    set.erase(pair_of(3));
    set.insert(pair_of(2));  // and claimed again
    REQUIRE(rebuild->commit());
    CHECK(set.find(pair_of(1)) == Held::no);
    CHECK(set.find(pair_of(2)) == Held::yes);
    CHECK(set.find(pair_of(3)) == Held::no);
}

TEST_CASE("ServingSet: a repeat does not keep an old pair alive over a rebuild, a claim does") {
    ServingSet set({.capacity = 1'000, .fp_rate = 0}, key);
    set.insert(pairs_of(0, 2));
    auto rebuild = set.begin_rebuild();
    REQUIRE(rebuild);
    std::array<Held, 1> held = {};
    set.test_and_insert(std::array{pair_of(0)}, held);
    set.insert(pair_of(1));
    REQUIRE(rebuild->commit());
    CHECK(set.find(pair_of(0)) == Held::no);
    CHECK(set.find(pair_of(1)) == Held::yes);
}

TEST_CASE("ServingSet: too many given back, and the serving filters stay") {
    ServingSet set({.capacity = 1'000, .fp_rate = 0}, key);
    auto rebuild = set.begin_rebuild();
    REQUIRE(rebuild);
    set.insert(pair_of(0));
    set.erase(pairs_of(1, ServingSet::erased_max + 2));
    const auto committed = rebuild->commit();
    REQUIRE_FALSE(committed);
    CHECK(committed.error().code == Errc::queue_full);
    CHECK(set.find(pair_of(0)) == Held::yes);
    CHECK(set.begin_rebuild().has_value());
}

TEST_CASE(
    "ServingSet: in any interleaving of claims, releases, records and rebuilds no pair that is "
    "claimed is missed") {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        CAPTURE(seed);
        test::SeededRandom random(seed);
        ServingSet set({.capacity = 1'000, .fp_rate = 0}, key);
        std::set<PairKey> claimed;
        for (int round = 0; round < 5; ++round) {
            auto rebuild = set.begin_rebuild();
            REQUIRE(rebuild);
            // Records are read in pages of what was there at some time after the beginning.
            const std::vector<PairKey> records(claimed.begin(), claimed.end());
            std::size_t read = 0;
            for (int step = 0; step < 2'000; ++step) {
                const PairKey pair = pair_of(random.below(3'000));
                switch (random.below(4)) {
                    case 0:
                        set.insert(pair);
                        claimed.insert(pair);
                        break;
                    case 1:
                        set.erase(pair);
                        claimed.erase(pair);
                        break;
                    case 2: {
                        const std::size_t page = std::min<std::size_t>(5, records.size() - read);
                        rebuild->add(std::span(records).subspan(read, page));
                        read += page;
                        break;
                    }
                    default:
                        REQUIRE((set.find(pair) == Held::yes) == claimed.contains(pair));
                }
            }
            rebuild->add(std::span(records).subspan(read));
            REQUIRE(rebuild->commit());
            for (std::uint64_t i = 0; i < 3'000; ++i) {
                REQUIRE((set.find(pair_of(i)) == Held::yes) == claimed.contains(pair_of(i)));
            }
        }
    }
}

TEST_CASE("ServingSet: while threads insert and ask, rebuilds that come and go miss nothing") {
    constexpr std::uint64_t old = 100'000;
    constexpr std::uint64_t fresh = 60'000;
    ServingSet set({.capacity = 50'000, .fp_rate = 1e-2}, key);
    set.insert(pairs_of(0, old));
    std::atomic<std::uint64_t> claimed = old;  // all below have a record
    std::atomic<std::uint64_t> missed = 0;
    std::jthread feed([&] {
        for (std::uint64_t i = old; i < old + fresh; ++i) {
            claimed = i + 1;
            set.insert(pair_of(i));
            missed += missing(set, i, i + 1) + missing(set, i - old, i - old + 1);
        }
    });
    std::jthread asks([&] {
        for (std::uint64_t i = 0; i < old; i += 64) {
            missed += missing(set, i, std::min(i + 64, old));
        }
    });
    for (int round = 0; round < 5; ++round) {
        auto rebuild = set.begin_rebuild();
        REQUIRE(rebuild);
        const std::uint64_t records = claimed;
        for (std::uint64_t at = 0; at < records; at += 1'000) {
            rebuild->add(pairs_of(at, std::min(at + 1'000, records)));
        }
        REQUIRE(rebuild->commit());
    }
    feed.join();
    asks.join();
    CHECK(missed == 0);
    CHECK(missing(set, 0, old + fresh) == 0);
}

}  // namespace smsrack::dedup
