#include "src/queue/line_queue.hpp"
#include "src/queue/receive_queue.hpp"
#include "src/queue/send_buffer_queue.hpp"
#include "src/queue/send_queue.hpp"
#include "src/queue/slot_pool.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

using namespace smsrack;
using namespace smsrack::queue;
using namespace std::chrono_literals;

namespace {

const AgeingRules strict{.on = false};
const WallTime start{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

Turn turn(Level first, int second, std::int64_t id) {
    return {.first = first, .since = start + std::chrono::seconds(second), .id = MessageId{id}};
}
Turn turn(Level first, int second) {
    return turn(first, second, second);
}

std::vector<SlotNumber> drained(SendBufferQueue& queue, WallTime now) {
    std::vector<SlotNumber> order;
    while (const auto next = queue.next(now)) {
        order.push_back(queue.take(*next));
    }
    return order;
}

}  // namespace

TEST_CASE("SlotPool: gives each slot once until it comes back") {
    SlotPool<int> pool(3);
    const auto a = pool.take();
    const auto b = pool.take();
    const auto c = pool.take();
    REQUIRE(a);
    REQUIRE(b);
    REQUIRE(c);
    CHECK((*a != *b && *b != *c && *a != *c));
    CHECK_FALSE(pool.take());
    pool.release(*b);
    CHECK(pool.free() == 1);
    CHECK(pool.take() == b);
}

TEST_CASE("SendBufferQueue: the highest level goes first, each level in order of age") {
    SendBufferQueue queue{strict};
    queue.push(turn(0, 1), 1);
    queue.push(turn(6, 2), 2);
    queue.push(turn(3, 3), 3);
    queue.push(turn(6, 4), 4);
    queue.push(turn(3, 0), 5, true);  // it came back, and is older
    CHECK(queue.size(3) == 2);
    CHECK(queue.size_again(3) == 1);
    CHECK(drained(queue, start) == std::vector<SlotNumber>{2, 4, 5, 3, 1});
    CHECK(queue.size_again(3) == 0);
}

TEST_CASE("SendBufferQueue: what has waited long goes before what came later at a higher level") {
    const AgeingRules rules;  // 60 s at 0 and 1, 30 s at 2 and 3, 15 s at 4, 5 s at 5
    SendBufferQueue queue{rules};
    queue.push(turn(1, 0), 1);
    queue.push(turn(2, 40), 2);
    queue.push(turn(2, 65), 3);
    CHECK(queue.next(start + 60s)->first == 2);
    // At 61 s the first one has entered level 2, at 60 s: behind one of the others, before the other.
    CHECK(drained(queue, start + 69s) == std::vector<SlotNumber>{2, 1, 3});
}

TEST_CASE("SendBufferQueue: what a wrong clock dated has its true age once that is known") {
    SendBufferQueue queue{AgeingRules{}};
    queue.push(turn(3, -1'000'000), 1);  // it seems to wait for days
    queue.push(turn(4, -5), 2);
    REQUIRE(queue.next(start)->first == 3);
    queue.move_times({.after = start - 2'000'000s, .until = start - 500'000s, .by = 999'990s});
    CHECK(drained(queue, start) == std::vector<SlotNumber>{2, 1});
}

namespace {

std::vector<Turn> random_turns(test::SeededRandom& random, std::size_t count) {
    std::vector<Turn> turns;
    for (std::size_t i = 0; i < count; ++i) {
        turns.push_back(turn(static_cast<Level>(random.below(level_count)),
                             static_cast<int>(random.below(300)), static_cast<std::int64_t>(i)));
    }
    return turns;
}

}  // namespace

TEST_CASE("SendBufferQueue: the order is that of lists in which the overdue are moved one by one") {
    test::SeededRandom random(11);
    for (int round = 0; round < 200; ++round) {
        const AgeingRules rules;
        SendBufferQueue queue{rules};
        const auto turns = random_turns(random, 40);
        // [NSB] to the letter: second by second, from the lowest level up, the overdue heads move to the tail of the next level.
        struct Placed {
            Turn turn;
            WallTime entered;
        };
        std::array<std::vector<Placed>, level_count + 1> lists;  // the last: promoted to the top
        const auto now = start + 299s;
        for (WallTime at = start; at <= now; at += 1s) {
            for (const Turn& one : turns) {
                if (one.since == at) {
                    lists.at(one.first).push_back({one, at});
                }
            }
            for (Level level = 0; level < level_max; ++level) {
                auto& from = lists.at(level);
                const auto wait = rules.max_wait.at(level);
                while (!from.empty() && at - from.front().entered > wait) {
                    const WallTime entered = from.front().entered + wait;
                    auto& to = lists.at(level + 1 == level_max ? level_count : level + 1U);
                    to.insert(std::ranges::upper_bound(to, entered, {}, &Placed::entered),
                              {from.front().turn, entered});
                    from.erase(from.begin());
                }
            }
        }
        std::vector<WallTime> expected;
        for (const std::size_t list : {6, 7, 5, 4, 3, 2, 1, 0}) {
            for (const Placed& placed : lists.at(list)) {
                expected.push_back(placed.entered);
            }
        }
        for (const Turn& one : turns) {
            queue.push(one, static_cast<SlotNumber>(one.id.value));
        }
        std::vector<WallTime> given;
        while (const auto next = queue.next(now)) {
            given.push_back(standing(rules, *next, now).entered);
            (void)queue.take(*next);
        }
        CHECK(given == expected);
    }
}

namespace {

Look any(SlotNumber) {
    return Look::take;
}

std::optional<SlotNumber> take(SendQueue& queue, WallTime now = start, ModemId line = {}) {
    return queue.take_where(line, now, any);
}

}  // namespace

TEST_CASE("SendQueue: workers may end in any order, the order is that of the turns") {
    test::SeededRandom random(7);
    for (int round = 0; round < 200; ++round) {
        SendQueue queue(strict, 4, 0);
        std::vector<SlotNumber> given;
        std::vector<SlotNumber> expected;
        SlotNumber next = 0;
        while (given.size() < 40) {
            std::vector<Turn> jobs;
            while (queue.has_room_for(turn(3, static_cast<int>(next)), start)) {
                jobs.push_back(turn(3, static_cast<int>(next)));
                queue.reserve(jobs.back(), next++);
            }
            for (std::size_t left = jobs.size(); left > 1; --left) {
                std::swap(jobs[left - 1], jobs[random.below(left)]);
            }
            std::vector<SlotNumber> voided;
            for (const Turn& job : jobs) {
                if (random.below(5) == 0) {
                    queue.give_up(job);
                    voided.push_back(static_cast<SlotNumber>(job.id.value));
                } else {
                    queue.fill(job);
                }
            }
            for (SlotNumber slot = next - static_cast<SlotNumber>(jobs.size()); slot < next;
                 ++slot) {
                if (std::ranges::find(voided, slot) == voided.end()) {
                    expected.push_back(slot);
                }
            }
            while (const auto slot = take(queue)) {
                given.push_back(*slot);
            }
        }
        CHECK(given == expected);
    }
}

TEST_CASE("SendQueue: nothing overtakes one that is not encoded yet and goes before it") {
    SendQueue queue(strict, 2, 1);
    queue.reserve(turn(3, 1), 10);
    queue.reserve(turn(3, 2), 20);
    queue.fill(turn(3, 2));
    CHECK_FALSE(take(queue));
    queue.fill(turn(3, 1));
    CHECK(take(queue) == 10);
    CHECK(take(queue) == 20);
    CHECK_FALSE(take(queue));
}

TEST_CASE("SendQueue: a full one has a place for what goes before one that is here") {
    SendQueue queue(strict, 2, 1);
    for (const int second : {1, 2}) {
        REQUIRE(queue.has_room_for(turn(3, second), start));
        queue.reserve(turn(3, second), static_cast<SlotNumber>(second));
        queue.fill(turn(3, second));
    }
    CHECK_FALSE(queue.has_room_for(turn(3, 3), start));
    REQUIRE(queue.has_room_for(turn(6, 3), start));
    queue.reserve(turn(6, 3), 3);
    queue.fill(turn(6, 3));
    CHECK_FALSE(queue.has_room_for(turn(6, 4), start));
    CHECK(take(queue) == 3);
    CHECK(take(queue) == 1);
    CHECK(take(queue) == 2);
}

TEST_CASE("SendQueue: what goes before the last one displaces it where every place is taken") {
    SendQueue queue(AgeingRules{}, 1, 1, 1);
    const auto add = [&](Level level, int second) {
        queue.reserve(turn(level, second), static_cast<SlotNumber>(second));
        queue.fill(turn(level, second));
    };
    add(1, 1);
    CHECK_FALSE(queue.displace(turn(6, 9), start));  // there is an urgent place
    queue.reserve(turn(2, 2), 2);
    CHECK_FALSE(queue.displace(turn(1, 9), start));  // it goes behind
    CHECK(queue.displace(turn(6, 9), start) == 1);
    add(6, 9);
    CHECK_FALSE(queue.displace(turn(6, 8), start));  // the last is being encoded
    queue.fill(turn(2, 2));
    const auto now = start + 1h;  // the last is promoted, and the only one: it waits for its turn
    CHECK_FALSE(queue.displace(turn(6, 8), now));
    CHECK(queue.displace(turn(6, 8), start) == 2);
    add(5, 3);
    queue.keep({ModemId{0}}, 5);  // the last is for a kept line
    CHECK_FALSE(queue.displace(turn(6, 8), start));
}

TEST_CASE("SendQueue: it says what a kept line would find no message for") {
    SendQueue queue(strict, 1, 1, 2);
    CHECK_FALSE(queue.lacks_for_kept());
    queue.keep({ModemId{0}, ModemId{1}}, 5);
    CHECK(queue.lacks_for_kept() == 5);
    queue.reserve(turn(1, 1), 1);
    queue.reserve(turn(5, 2), 2);
    CHECK(queue.lacks_for_kept() == 5);
    queue.reserve(turn(6, 3), 3);
    CHECK_FALSE(queue.lacks_for_kept());
}

TEST_CASE("SendQueue: at the top every eighth is a promoted one, while there are any") {
    SendQueue queue(AgeingRules{}, 40, 1);
    const auto now = start + 1h;
    const auto add = [&](Level level, int second) {
        queue.reserve(turn(level, second), static_cast<SlotNumber>(second));
        queue.fill(turn(level, second));
    };
    CHECK(queue.lacks_promoted(now));
    for (const int second : {1, 2, 3}) {
        add(1, second);
    }
    for (int second = 100; second < 120; ++second) {
        add(6, second);
    }
    CHECK_FALSE(queue.lacks_promoted(now));
    CHECK(queue.lacks_promoted(start + 4s));  // they are not at the top yet
    std::vector<SlotNumber> order;
    while (const auto slot = take(queue, now)) {
        order.push_back(*slot);
    }
    CHECK(order == std::vector<SlotNumber>{100, 101, 102, 103, 104, 105, 106, 1,
                                           107, 108, 109, 110, 111, 112, 113, 2,
                                           114, 115, 116, 117, 118, 119, 3});
}

TEST_CASE(
    "SendQueue: a line does not pass over a promoted one whose turn it is, and that dispatch has "
    "to decide about") {
    SendQueue queue(AgeingRules{}, 40, 1);
    queue.open(true);
    const auto now = start + 1h;
    const auto add = [&](Level level, int second) {
        queue.reserve(turn(level, second), static_cast<SlotNumber>(second));
        queue.fill(turn(level, second));
    };
    add(1, 1);  // encoded long ago: its validity must be written again
    for (int second = 100; second < 120; ++second) {
        add(6, second);
    }
    const auto fresh = [](SlotNumber slot) { return slot != 1; };
    for (SlotNumber own = 100; own < 107; ++own) {
        CHECK(queue.take_if({}, now, fresh) == own);
    }
    CHECK_FALSE(queue.take_if({}, now, fresh));
    const auto not_here = [](SlotNumber slot) { return slot == 1 ? Look::further : Look::take; };
    CHECK(queue.take_where({}, now, not_here) == 107);  // dispatch knows that this line can't
    CHECK(take(queue, now) == 1);
    CHECK(queue.take_if({}, now, fresh) == 108);
}

TEST_CASE(
    "SendQueue: a kept line takes only what was accepted for it, and leaves the turns of others") {
    SendQueue queue(AgeingRules{}, 8, 1, 1);
    const ModemId kept{3};
    queue.keep({kept}, 5);
    CHECK(queue.is_kept(kept));
    CHECK_FALSE(queue.is_kept(ModemId{0}));
    queue.reserve(turn(1, 1), 1);
    queue.fill(turn(1, 1));
    const auto now = start + 1h;  // promoted to the top, but not for this line
    CHECK_FALSE(take(queue, now, kept));
    for (const int second : {2, 3}) {
        queue.reserve(turn(5, second), static_cast<SlotNumber>(second));
        queue.fill(turn(5, second));
    }
    CHECK(take(queue, now, kept) == 2);
    CHECK(take(queue, now) == 3);  // it came to the top earlier
    CHECK(take(queue, now) == 1);
    queue.keep({}, 5);
    CHECK_FALSE(queue.is_kept(kept));
}

TEST_CASE("SendQueue: what is passed over for one line stays for the next") {
    SendQueue queue(strict, 4, 0);
    for (const int second : {1, 2}) {
        queue.reserve(turn(3, second), static_cast<SlotNumber>(second));
        queue.fill(turn(3, second));
    }
    const auto not_one = [](SlotNumber slot) { return slot == 1 ? Look::further : Look::take; };
    CHECK(queue.take_where({}, start, not_one) == 2);
    CHECK_FALSE(queue.take_where({}, start, not_one));
    const auto stop = [](SlotNumber) { return Look::stop; };
    CHECK_FALSE(queue.withdraw(start, stop));
    CHECK(queue.withdraw(start, any) == 1);
    CHECK(queue.empty());
}

TEST_CASE("SendQueue: a line takes by itself only while the queue is open, and only what is fit") {
    SendQueue queue(strict, 2, 0);
    queue.reserve(turn(3, 1), 10);
    queue.fill(turn(3, 1));
    const auto fit = [](SlotNumber) { return true; };
    CHECK_FALSE(queue.take_if({}, start, fit));
    queue.open(true);
    CHECK_FALSE(queue.take_if({}, start, [](SlotNumber) { return false; }));
    CHECK(queue.take_if({}, start, fit) == 10);
    CHECK_FALSE(queue.take_if({}, start, fit));
}

TEST_CASE("ReceiveQueue: full after its places, first in first out") {
    ReceiveQueue queue;
    for (std::uint32_t token = 0; token < receive_queue_places; ++token) {
        REQUIRE(queue.push({.token = token, .length = 1}));
    }
    CHECK_FALSE(queue.push({.token = 99}));
    ReceivedOctets pdu;
    for (std::uint32_t token = 0; token < receive_queue_places; ++token) {
        REQUIRE(queue.pop(pdu));
        CHECK(pdu.token == token);
    }
    CHECK_FALSE(queue.pop(pdu));
}

TEST_CASE("LineQueue: a slot number arrives as it was given") {
    LineQueue queue;
    CHECK_FALSE(queue.pop());
    REQUIRE(queue.push(42));
    CHECK(queue.pop() == 42);
    CHECK_FALSE(queue.pop());
}
