#include "src/dispatch/group.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using dispatch::Group;
using dispatch::Groups;

namespace {

constexpr WallTime noon = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 12h;
constexpr AgeingRules strict{.on = false};
const AgeingRules ageing;

Turn turn_of(std::int64_t id, Level level) {
    return {.first = level, .since = noon + std::chrono::seconds(id), .id = MessageId{id}};
}

/// A group of one line: two places in its send queue, and two for what goes before these.
struct OneLine {
    Group group;
    explicit OneLine(const AgeingRules& rules = strict) : group(GroupId{1}, "default", rules, 1) {}
    std::vector<queue::SlotNumber> displaced = {};
    bool store_has_better = false;
    bool store_has_promoted = false;

    void wait(std::int64_t id, Level level) {
        group.waiting.push(turn_of(id, level), static_cast<queue::SlotNumber>(id));
    }
    std::optional<Turn> next() {
        return group.next_to_encode(
            noon, [&](const Turn&) { return !store_has_better; },
            [&](const Turn&) { return !store_has_promoted; },
            [&](queue::SlotNumber slot) { displaced.push_back(slot); });
    }
    /// Takes it out and encodes it.
    void encode(const Turn& turn) {
        group.encoded.reserve(turn, group.waiting.take(turn));
        group.encoded.fill(turn);
    }
    /// Encodes all that goes; gives how many.
    std::size_t encode_all() {
        std::size_t count = 0;
        while (const auto turn = next()) {
            encode(*turn);
            ++count;
        }
        return count;
    }
};

}  // namespace

TEST_CASE("Group: the message that goes first is encoded, as far as there are places") {
    OneLine one;
    CHECK_FALSE(one.next());
    one.wait(1, 3);
    one.wait(2, 4);
    one.wait(3, 3);
    CHECK(one.next() == turn_of(2, 4));
    CHECK(one.encode_all() == 2);
    CHECK(one.group.waiting.size(3) == 1);
    CHECK(one.displaced.empty());
}

TEST_CASE(
    "Group: what goes before all that is encoded has places of its own, then takes the last "
    "one's") {
    OneLine one;
    for (std::int64_t id = 1; id <= 2; ++id) {
        one.wait(id, 0);
    }
    CHECK(one.encode_all() == 2);
    for (std::int64_t id = 3; id <= 5; ++id) {
        one.wait(id, 4);
    }
    CHECK(one.next() == turn_of(3, 4));
    CHECK(one.encode_all() >= 2);
    one.wait(9, 5);
    const std::size_t before = one.displaced.size();
    CHECK(one.next() == turn_of(9, 5));
    CHECK(one.displaced.size() == before + 1);
}

TEST_CASE("Group: while the store may have a better one, nothing is encoded") {
    OneLine one;
    one.wait(1, 3);
    one.store_has_better = true;
    CHECK_FALSE(one.next());
    one.store_has_better = false;
    CHECK(one.next());
}

TEST_CASE("Group: a promoted message does not wait for the top's own that the store may have") {
    OneLine one(ageing);
    const Turn old{.first = 3, .since = noon - 1h, .id = MessageId{1}};  // promoted long ago
    one.group.waiting.push(old, 1);
    one.store_has_better = true;
    CHECK(one.next() == old);
    one.store_has_promoted = true;
    CHECK_FALSE(one.next());
}

TEST_CASE("Group: kept lines find a message of theirs encoded, however full the queue is") {
    OneLine one;
    one.group.encoded.keep({ModemId{0}}, 5);
    for (std::int64_t id = 1; id <= 3; ++id) {
        one.wait(id, 0);
    }
    CHECK(one.encode_all() == 2);
    one.wait(4, 5);
    CHECK(one.next() == turn_of(4, 5));
    CHECK(one.displaced.empty());
}

TEST_CASE("Groups: found by the id of their row, and known by index") {
    Groups groups;
    CHECK(groups.add(GroupId{7}, "default", strict, 1) == 0);
    CHECK(groups.add(GroupId{3}, "alarm", strict, 1) == 1);
    CHECK(groups.size() == 2);
    CHECK(groups.find(GroupId{3}) == std::uint16_t{1});
    CHECK_FALSE(groups.find(GroupId{4}));
    CHECK(groups[0].name == "default");
}
