#include "src/dedup/snapshot.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace smsrack::dedup {
namespace {

constexpr HashKey key{5};
constexpr FilterSize size{.capacity = 70'000, .fp_rate = 1e-3};
constexpr std::uint64_t position = 4'711;

/// Topic 0 has generations, topic 1 is a filter, the others are small.
std::vector<PairKey> some_pairs() {
    std::vector<PairKey> pairs;
    for (std::uint32_t topic = 0; topic < 6; ++topic) {
        const std::uint64_t count = topic == 0 ? 200'000 : topic == 1 ? 100'000 : topic * 10;
        for (std::uint64_t i = 0; i < count; ++i) {
            pairs.push_back({.number = 33'600'000'000 + i, .topic = topic * 7});
        }
    }
    return pairs;
}

std::vector<std::byte> written(const ServingSet& set) {
    std::vector<std::byte> file;
    SnapshotWriter writer(set, position);
    for (auto piece = writer.next(); !piece.empty(); piece = writer.next()) {
        file.insert(file.end(), piece.begin(), piece.end());
    }
    return file;
}

std::vector<Held> answers(const ServingSet& set, const std::vector<PairKey>& pairs) {
    std::vector<Held> held(pairs.size());
    set.find(pairs, held);
    return held;
}

}  // namespace

TEST_CASE("snapshot: a restored set answers as the one that was written, and goes on like it") {
    ServingSet set(size, key);
    std::vector<PairKey> pairs = some_pairs();
    set.insert(pairs);
    set.erase({.number = 33'600'000'000, .topic = 14});
    const std::vector<std::byte> file = written(set);
    CHECK(file.size() < set.bytes() + 4'096);

    auto restored = restored_set(file, size);
    REQUIRE(restored);
    CHECK(restored->position == position);
    ServingSet& again = *restored->set;
    for (std::uint64_t i = 0; i < 50'000; ++i) {
        pairs.push_back({.number = 44'700'000'000 + i, .topic = 0});  // absent
    }
    CHECK(answers(again, pairs) == answers(set, pairs));
    REQUIRE(again.topics().size() == set.topics().size());
    for (std::size_t i = 0; i < set.topics().size(); ++i) {
        CHECK(again.topics()[i].keys == set.topics()[i].keys);
        CHECK(again.topics()[i].bits == set.topics()[i].bits);
        CHECK(again.topics()[i].generations == set.topics()[i].generations);
    }
    std::vector<Held> held(pairs.size());
    std::vector<Held> held_again(pairs.size());
    set.test_and_insert(pairs, held);
    again.test_and_insert(pairs, held_again);
    CHECK(held == held_again);
    CHECK(written(again) == written(set));
}

TEST_CASE("snapshot: of an empty set there is one too") {
    const ServingSet set(size, key);
    const auto restored = restored_set(written(set), size);
    REQUIRE(restored);
    CHECK(restored->set->topics().empty());
    CHECK(restored->position == position);
}

TEST_CASE(
    "snapshot: what a disk lost or changed is not believed, nor the snapshot of other settings") {
    ServingSet set(size, key);
    set.insert(some_pairs());
    const std::vector<std::byte> file = written(set);
    const auto refused = [&](const std::vector<std::byte>& octets) {
        const auto restored = restored_set(octets, size);
        return restored ? Errc::internal : restored.error().code;
    };
    CHECK(refused({}) == Errc::protocol);
    for (const std::size_t octets :
         {16UZ, 63UZ, 64UZ, 80UZ, 200UZ, file.size() / 2, file.size() - 1}) {
        CAPTURE(octets);
        const std::vector<std::byte> cut(file.begin(),
                                         file.begin() + static_cast<std::ptrdiff_t>(octets));
        const Errc code = refused(cut);
        CHECK((code == Errc::storage || code == Errc::protocol));
    }
    for (std::size_t at = 0; at < file.size(); at += at < 400 ? 1 : 9'973) {
        CAPTURE(at);
        std::vector<std::byte> changed = file;
        changed[at] ^= std::byte{0x10};
        const Errc code = refused(changed);
        CHECK((code == Errc::storage || (code == Errc::protocol && at < 16)));
    }
    std::vector<std::byte> longer = file;
    longer.push_back({});
    CHECK(refused(longer) == Errc::storage);
    const auto other = restored_set(file, {.capacity = 70'001, .fp_rate = 1e-3});
    REQUIRE_FALSE(other);
    CHECK(other.error().code == Errc::conflict);
}

TEST_CASE("snapshot: the sections of two files don't make one") {
    ServingSet one(size, key);
    ServingSet two(size, key);
    one.insert(PairKey{.number = 1, .topic = 0});
    two.insert(PairKey{.number = 2, .topic = 0});
    SnapshotWriter first(one, 1);
    SnapshotWriter second(two, 2);
    std::vector<std::byte> mixed = first.next();
    (void)second.next();
    const std::vector<std::byte> topic = second.next();
    mixed.insert(mixed.end(), topic.begin(), topic.end());
    CHECK_FALSE(restored_set(mixed, size).has_value());
}

}  // namespace smsrack::dedup
