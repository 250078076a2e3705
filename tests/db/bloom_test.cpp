#include "db/engine/bloom.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

using namespace smsrack;
using db::Bloom;
using db::BloomKey;

namespace {

std::uint64_t hash(std::uint64_t i) {
    return (i + 1) * 0x9E3779B97F4A7C15U;
}

}  // namespace

TEST_CASE("bloom: what was added may be there, and hardly anything else") {
    constexpr std::uint64_t entries = 32'768;
    Bloom filter(entries);
    for (std::uint64_t i = 0; i < entries; ++i) {
        filter.add(hash(i));
    }
    const Bloom read(filter.bytes());
    std::uint64_t others = 0;
    for (std::uint64_t i = 0; i < entries; ++i) {
        REQUIRE(filter.may_hold(BloomKey(hash(i))));
        REQUIRE(read.may_hold(BloomKey(hash(i))));
        others += filter.may_hold(BloomKey(hash(entries + i))) ? 1 : 0;
    }
    CHECK(others < entries / 50);
    CHECK(Bloom().may_hold(BloomKey(hash(1))));
}

TEST_CASE("bloom: the bits are where earlier versions, whose filters are kept, have put them") {
    constexpr std::uint64_t one = 0x0123456789ABCDEFU;
    Bloom filter(1'000);
    filter.add(one);
    std::vector<std::uint64_t> words(filter.bytes().size() / sizeof(std::uint64_t));
    std::memcpy(words.data(), filter.bytes().data(), filter.bytes().size());
    const std::uint64_t mixed = (one ^ (one >> 29U)) * 0xBF58476D1CE4E5B9U;
    const auto line = static_cast<std::size_t>((mixed >> 32U) % (words.size() / 8));
    std::uint64_t bit = mixed & 0xFFFFU;
    for (int i = 0; i < 6; ++i) {
        CHECK((words[line * 8 + bit % 512 / 64] >> (bit % 64) & 1U) == 1);
        bit += ((mixed >> 16U) & 0xFFFFU) | 1U;
    }
}
