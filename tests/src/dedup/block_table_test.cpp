#include "src/dedup/block_table.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace smsrack::dedup {
namespace {

constexpr unsigned key_bits = 50;

std::uint64_t some_key(Random& random) {
    return random.next() >> (64 - key_bits);
}

std::vector<std::uint64_t> sorted_keys(const BlockTable& table) {
    std::vector<std::uint64_t> keys;
    table.for_each([&](std::uint64_t key) { keys.push_back(key); });
    std::ranges::sort(keys);
    return keys;
}

}  // namespace

TEST_CASE(
    "BlockTable: an exact one is a set: inserted, erased, filled beyond its size and listed") {
    test::SeededRandom random(1);
    BlockTable table(exact_shape(key_bits, 300));
    std::set<std::uint64_t> set;
    for (int step = 0; step < 60'000; ++step) {
        // Keys of a small world, so that they meet again; more of them than there are places.
        const std::uint64_t key = random.below(700) * 0x9E3779B97F4A7C15U >> (64 - key_bits);
        REQUIRE(table.find(key) == (set.contains(key) ? Held::yes : Held::no));
        const bool fill = step / 1'000 % 2 == 0;
        if (fill) {
            REQUIRE(table.test_and_insert(key) == (set.insert(key).second ? Held::no : Held::yes));
        } else {
            REQUIRE(table.erase(key) == (set.erase(key) == 1));
        }
        REQUIRE(table.keys() == set.size());
        if (step % 500 == 0) {
            REQUIRE(std::ranges::equal(sorted_keys(table), set));
        }
    }
}

TEST_CASE("BlockTable: keys at the edge of a quotient come back as they are, the last one too") {
    constexpr std::uint64_t end = std::uint64_t{1} << key_bits;
    for (const std::uint64_t blocks : {2U, 3U, 5U, 64U, 641U, 4'096U, 16'383U, 65'537U}) {
        CAPTURE(blocks);
        BlockTable table(exact_shape_of(key_bits, blocks));
        std::set<std::uint64_t> set;
        for (const std::uint64_t quotient : {std::uint64_t{1}, std::uint64_t{2}, end / blocks / 2,
                                             end / blocks - 1, end / blocks}) {
            for (const std::uint64_t key :
                 {quotient * blocks - 1, quotient * blocks, quotient * blocks + 1}) {
                if (key < end) {
                    set.insert(key);
                }
            }
        }
        set.insert({0, end - 1});
        for (const std::uint64_t key : set) {
            REQUIRE(table.test_and_insert(key) == Held::no);
        }
        REQUIRE(std::ranges::equal(sorted_keys(table), set));
    }
}

TEST_CASE("BlockTable: at its load hardly a key finds no room") {
    struct Row {
        const char* what;
        TableShape shape;
        double spilled_max;  // about twice of what is seen
    };
    constexpr std::uint64_t keys = 200'000;
    for (const Row& row : {
             Row{"filter", filter_shape(key_bits, keys, 6e-5), 0.000'3},
             Row{"exact", exact_shape(key_bits, keys), 0.004},
         }) {
        CAPTURE(row.what);
        test::SeededRandom random(2);
        BlockTable table(row.shape);
        for (std::uint64_t i = 0; i < keys; ++i) {
            (void)table.test_and_insert(some_key(random));
        }
        CHECK(static_cast<double>(table.spilled()) / keys < row.spilled_max);
        CHECK(table.bytes() * 8 < keys * 60);
    }
}

TEST_CASE("BlockTable: a filter never forgets, and errs as often as it says") {
    constexpr std::uint64_t keys = 100'000;
    constexpr int asked = 1'000'000;
    for (const double rate : {1e-2, 1e-3, 1e-4}) {
        CAPTURE(rate);
        BlockTable table(filter_shape(key_bits, keys, rate));
        test::SeededRandom random(3);
        for (std::uint64_t i = 0; i < keys; ++i) {
            (void)table.test_and_insert(some_key(random));
        }
        test::SeededRandom again(3);
        for (std::uint64_t i = 0; i < keys; ++i) {
            REQUIRE(table.find(some_key(again)) != Held::no);
        }
        // Others: of 2^50 keys a chance one is among the 100,000 with 1e-10.
        int wrong = 0;
        for (int i = 0; i < asked; ++i) {
            wrong += table.find(some_key(random)) != Held::no ? 1 : 0;
        }
        const double expected = fp_rate(table.shape(), table.keys()) * asked;
        CHECK(wrong < expected + 6 * std::sqrt(expected));
        CHECK(wrong > expected - 6 * std::sqrt(expected));
        CHECK(expected <= rate * asked);
    }
}

TEST_CASE(
    "BlockTable: where a new key takes another one's place, the table has a bound and no key it "
    "was not given") {
    test::SeededRandom random(4);
    BlockTable table(exact_shape_of(key_bits, 64));
    std::set<std::uint64_t> given;
    std::uint64_t lost = 0;
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t key = some_key(random);
        given.insert(key);
        lost += table.insert_evicting(key, random.next()) ? 1 : 0;
        REQUIRE(table.find(key) == Held::yes);
    }
    CHECK(table.keys() + lost == given.size());
    CHECK(table.keys() > table.shape().keys_max);
    CHECK(table.spilled() == 0);
    for (const std::uint64_t key : sorted_keys(table)) {
        REQUIRE(given.contains(key));
    }
}

}  // namespace smsrack::dedup
