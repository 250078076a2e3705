#include "src/dedup/block.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace smsrack::dedup {
namespace {

using Entry = std::pair<unsigned, std::uint64_t>;

std::vector<Entry> sorted_entries(const Block& block, const BlockShape& shape) {
    std::vector<Entry> entries;
    block.for_each(
        shape, [&](unsigned bucket, std::uint64_t value) { entries.emplace_back(bucket, value); });
    std::ranges::sort(entries);
    return entries;
}

/// Few values, so that entries meet that are alike; the widest ones too.
std::uint64_t some_value(Random& random, const BlockShape& shape) {
    const std::uint64_t all = (std::uint64_t{1} << shape.width) - 1;
    return random.below(2) == 0 ? all - random.below(2) % (all + 1) : random.next() & all;
}

}  // namespace

TEST_CASE("Block: whatever goes in and out, in any shape, it holds what a list would hold") {
    for (const BlockShape& shape : {
             BlockShape{.buckets_log2 = 5, .width = 15, .slots = 30},  // the filter of 1e-4
             BlockShape{.buckets_log2 = 5, .width = 14, .slots = 32},  // all 512 bits
             BlockShape{.buckets_log2 = 4, .width = 31, .slots = 15},
             BlockShape{.buckets_log2 = 3, .width = 63, .slots = 7},
             BlockShape{.buckets_log2 = 3, .width = 1, .slots = 56},
             BlockShape{.buckets_log2 = 4, .width = 32, .slots = 15},
         }) {
        CAPTURE(shape.width);
        REQUIRE(shape.fits());
        test::SeededRandom random(shape.width);
        Block block(shape);
        std::vector<Entry> list;
        for (int step = 0; step < 20'000; ++step) {
            const auto bucket = static_cast<unsigned>(random.below(shape.buckets()));
            const std::uint64_t value = some_value(random, shape);
            const auto listed = std::ranges::find(list, Entry{bucket, value});
            REQUIRE(block.holds(shape, bucket, value) == (listed != list.end()));
            // Fills up and empties in turns.
            const bool fill = step / 100 % 2 == 0;
            if (fill && list.size() < shape.slots) {
                block.insert(shape, bucket, value);
                list.emplace_back(bucket, value);
            } else if (!fill && !list.empty()) {
                const auto at = static_cast<std::ptrdiff_t>(random.below(list.size()));
                REQUIRE(block.erase(shape, list[static_cast<std::size_t>(at)].first,
                                    list[static_cast<std::size_t>(at)].second));
                list.erase(list.begin() + at);
            }
            REQUIRE(block.entries(shape) == list.size());
            REQUIRE(block.is_sound(shape));
            if (step % 50 == 0) {
                std::ranges::sort(list);
                REQUIRE(sorted_entries(block, shape) == list);
            }
        }
    }
}

TEST_CASE("Block: what is not there can't be erased") {
    constexpr BlockShape shape{.buckets_log2 = 5, .width = 15, .slots = 30};
    Block block(shape);
    block.insert(shape, 3, 7);
    CHECK_FALSE(block.erase(shape, 3, 8));
    CHECK_FALSE(block.erase(shape, 4, 7));
    CHECK(block.entries(shape) == 1);
    CHECK(block.erase(shape, 3, 7));
    CHECK_FALSE(block.erase(shape, 3, 7));
}

}  // namespace smsrack::dedup
