#include "tests/support/temp_dir.hpp"
#include "tools/bench/dedup_work.hpp"
#include "tools/lab/dedup_compare/compare.hpp"
#include "tools/lab/dedup_compare/redis.hpp"
#include "tools/lab/dedup_compare/sets.hpp"
#include "tools/rig/interrupt.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace smsrack::lab {
namespace {

using dedup::PairKey;

constexpr bench::DedupWork work{.topics = 3, .numbers = 5'000};

std::vector<PairKey> compared_pairs() {
    std::vector<PairKey> pairs;
    for (std::uint64_t serial = 0; serial < work.pairs(); ++serial) {
        pairs.push_back(work.pair(serial));
    }
    return pairs;
}

}  // namespace

TEST_CASE("dedup compare: the sets compared with ours do the same work") {
    const std::vector<PairKey> pairs = compared_pairs();
    StdSet std_set;
    OpenSet open_set(work.pairs());
    BlockedBloom bloom(work.topics, work.numbers);
    CHECK(std_set.test_and_insert(pairs) == work.pairs());
    CHECK(open_set.test_and_insert(pairs) == work.pairs());
    CHECK(bloom.test_and_insert(pairs) > work.pairs() - 20);  // 1e-4 of them are mistaken
    CHECK(std_set.test_and_insert(pairs) == 0);
    CHECK(open_set.test_and_insert(pairs) == 0);
    CHECK(bloom.test_and_insert(pairs) == 0);
    CHECK(bloom.bytes() * 8 >= work.pairs() * 28);
}

TEST_CASE("dedup compare: the bitmaps in Redis do the same work, where it is installed") {
    const auto program = RedisBitmaps::installed();
    if (!program) {
        MESSAGE("skipped: redis-server is not installed");
        return;
    }
    const test::TempDir folder;
    auto redis = RedisBitmaps::start(*program, folder.path());
    REQUIRE(redis);
    const std::vector<PairKey> pairs = compared_pairs();
    std::vector<PairKey> first_topic;
    for (const PairKey& pair : pairs) {
        if (pair.topic == 0) {
            first_topic.push_back(pair);
        }
    }
    REQUIRE(redis->load(0, first_topic));
    CHECK(redis->test_and_insert(first_topic).value() == 0);
    CHECK(redis->test_and_insert(pairs).value() == work.pairs() - first_topic.size());
    CHECK(redis->test_and_insert(pairs).value() == 0);
}

}  // namespace smsrack::lab
