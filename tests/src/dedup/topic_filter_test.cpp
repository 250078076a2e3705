#include "src/dedup/topic_filter.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace smsrack::dedup {
namespace {

constexpr HashKey key{7};
constexpr std::uint64_t first_number = 33'600'000'000;
constexpr std::uint64_t first_absent = 44'700'000'000;

void take(TopicFilter& filter, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
        filter.insert(first_number + i);
    }
}

std::uint64_t missing(const TopicFilter& filter, std::uint64_t count) {
    std::uint64_t missed = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        missed += filter.find(first_number + i) == Held::no ? 1 : 0;
    }
    return missed;
}

double wrong(const TopicFilter& filter, std::uint64_t asked) {
    double met = 0;
    for (std::uint64_t i = 0; i < asked; ++i) {
        met += filter.find(first_absent + i) == Held::no ? 0 : 1;
    }
    return met;
}

}  // namespace

TEST_CASE("TopicFilter: a small topic is exact and small, whatever it is made for") {
    TopicFilter filter({.capacity = 10'000'000, .fp_rate = 1e-3}, key);
    CHECK(filter.bits() < 8 * 8'192);
    take(filter, 0, 10'000);
    CHECK(filter.keys() == 10'000);
    CHECK(filter.bits() < 10'000 * 100);
    CHECK(filter.estimated_fp_rate() == 0);
    CHECK(filter.find(first_number) == Held::yes);
    CHECK(wrong(filter, 100'000) == 0);
    filter.erase(first_number);
    CHECK(filter.find(first_number) == Held::no);
    CHECK(filter.keys() == 9'999);
}

TEST_CASE(
    "TopicFilter: on its way from nothing to three times its capacity it forgets no number and "
    "keeps its rate") {
    constexpr double rate = 1e-3;
    constexpr std::uint64_t capacity = 200'000;
    constexpr std::uint64_t asked = 500'000;
    TopicFilter filter({.capacity = capacity, .fp_rate = rate}, key);
    std::uint64_t taken = 0;
    std::size_t generations = 1;
    for (const std::uint64_t next :
         {capacity / 8, capacity / 2, capacity, capacity * 3 / 2, capacity * 3}) {
        CAPTURE(next);
        take(filter, taken, next);
        taken = next;
        CHECK(missing(filter, taken) == 0);
        CHECK(filter.estimated_fp_rate() <= rate);
        const double expected = filter.estimated_fp_rate() * asked;
        CHECK(wrong(filter, asked) <= expected + 6 * std::sqrt(expected));
        CHECK(filter.generations() >= generations);
        CHECK(filter.fill() <= 1);
        generations = filter.generations();
    }
    CHECK(generations >= 2);
    CHECK(filter.keys() <= taken);
    CHECK(static_cast<double>(filter.keys()) > static_cast<double>(taken) * (1 - rate));
}

TEST_CASE("TopicFilter: at capacity it takes no further generation and 18 bits a number for 1e-4") {
    constexpr std::uint64_t capacity = 300'000;
    TopicFilter filter({.capacity = capacity, .fp_rate = 1e-4}, key);
    take(filter, 0, capacity - 100);
    CHECK(filter.generations() == 1);
    CHECK(filter.bits() < capacity * 182 / 10);
    CHECK(filter.find(first_number) == Held::maybe);
}

TEST_CASE("TopicFilter: without a rate all numbers are whole, beyond its capacity too") {
    constexpr std::uint64_t capacity = 150'000;
    TopicFilter filter({.capacity = capacity, .fp_rate = 0}, key);
    take(filter, 0, capacity * 2);
    CHECK(filter.keys() == capacity * 2);
    CHECK(missing(filter, capacity * 2) == 0);
    CHECK(wrong(filter, 200'000) == 0);
    CHECK(filter.estimated_fp_rate() == 0);
    for (std::uint64_t i = 0; i < capacity * 2; i += 1'000) {
        REQUIRE(filter.find(first_number + i) == Held::yes);
        filter.erase(first_number + i);
        REQUIRE(filter.find(first_number + i) == Held::no);
    }
}

TEST_CASE("TopicFilter: what a filter can't forget safely it keeps") {
    constexpr std::uint64_t count = 200'000;
    TopicFilter filter({.capacity = count, .fp_rate = 1e-2}, key);
    take(filter, 0, count);
    for (std::uint64_t i = 0; i < 1'000; ++i) {
        filter.erase(first_absent + i);
        filter.erase(first_number + i);
    }
    CHECK(missing(filter, count) == 0);
}

}  // namespace smsrack::dedup
