#include "db/read/recent_hashes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

using namespace smsrack;
using db::HashKind;
using db::RecentHashes;

namespace {

std::vector<MessageId> all(const RecentHashes& hashes, HashKind kind, std::int64_t hash) {
    std::vector<MessageId> ids;
    (void)hashes.find(kind, hash, [&](MessageId id) {
        ids.push_back(id);
        return false;
    });
    return ids;
}

}  // namespace

TEST_CASE(
    "RecentHashes: each is found by its kind and hash, the newest first, however many there are") {
    RecentHashes hashes;
    CHECK(all(hashes, HashKind::ref, 1).empty());
    std::map<std::pair<HashKind, std::int64_t>, std::vector<MessageId>> expected;
    constexpr int entries = 5'000;  // the table grows some times
    for (int i = 0; i < entries; ++i) {
        const auto kind = static_cast<HashKind>(i % 3);
        const std::int64_t hash = i % 2 == 0 ? 7 : std::int64_t{i} - entries / 2;
        hashes.add({.kind = kind, .hash = hash, .id = MessageId{i + 1}});
        auto& ids = expected[{kind, hash}];
        ids.insert(ids.begin(), MessageId{i + 1});
    }
    for (const auto& [key, ids] : expected) {
        REQUIRE(all(hashes, key.first, key.second) == ids);
    }
    CHECK(hashes.size() == entries);

    const auto sorted = hashes.take_sorted();
    CHECK(sorted.size() == entries);
    CHECK(std::ranges::is_sorted(sorted));
    CHECK(hashes.size() == 0);
    CHECK(all(hashes, HashKind::ref, 7).empty());
}

TEST_CASE("RecentHashes: looking ends with the one that it was") {
    RecentHashes hashes;
    for (int i = 1; i <= 3; ++i) {
        hashes.add({.kind = HashKind::text, .hash = 7, .id = MessageId{i}});
    }
    int looked_at = 0;
    CHECK(hashes.find(HashKind::text, 7, [&](MessageId id) {
        ++looked_at;
        return id == MessageId{2};
    }));
    CHECK(looked_at == 2);
}
