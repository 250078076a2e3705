#include "src/queue/line_queue.hpp"
#include "src/queue/receive_queue.hpp"
#include "src/queue/send_buffer_queue.hpp"
#include "src/queue/send_queue.hpp"
#include "src/queue/slot_pool.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace smsrack;
using namespace smsrack::queue;

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

TEST_CASE("SendBufferQueue: the highest level goes first, each level in order of arrival") {
    SendBufferQueue queue;
    queue.push(0, 1);
    queue.push(6, 2);
    queue.push(3, 3);
    queue.push(6, 4);
    queue.push_front(3, 5);
    std::vector<SlotNumber> order;
    while (const auto slot = queue.pop()) {
        order.push_back(*slot);
    }
    CHECK(order == std::vector<SlotNumber>{2, 4, 5, 3, 1});
}

TEST_CASE("SendQueue: workers may end in any order, the ring keeps the order of the tickets") {
    test::SeededRandom random(7);
    for (int round = 0; round < 200; ++round) {
        SendQueue queue(4);
        std::vector<SlotNumber> given;
        std::vector<SlotNumber> expected;
        SlotNumber next = 0;
        while (given.size() < 40) {
            std::vector<std::pair<std::uint64_t, SlotNumber>> jobs;
            while (!queue.full()) {
                jobs.emplace_back(queue.reserve(), next++);
            }
            for (std::size_t left = jobs.size(); left > 1; --left) {
                std::swap(jobs[left - 1], jobs[random.below(left)]);
            }
            std::vector<SlotNumber> voided;
            for (const auto& [ticket, slot] : jobs) {
                if (random.below(5) == 0) {
                    queue.give_up(ticket);
                    voided.push_back(slot);
                } else {
                    queue.fill(ticket, slot);
                }
            }
            for (SlotNumber slot = next - static_cast<SlotNumber>(jobs.size()); slot < next;
                 ++slot) {
                if (std::ranges::find(voided, slot) == voided.end()) {
                    expected.push_back(slot);
                }
            }
            while (const auto slot = queue.take()) {
                given.push_back(*slot);
            }
        }
        CHECK(given == expected);
    }
}

TEST_CASE("SendQueue: nothing overtakes a ticket that is not filled yet") {
    SendQueue queue(2);
    const auto first = queue.reserve();
    const auto second = queue.reserve();
    CHECK(queue.full());
    queue.fill(second, 20);
    CHECK_FALSE(queue.take());
    queue.fill(first, 10);
    CHECK(queue.take() == 10);
    CHECK(queue.take() == 20);
    CHECK_FALSE(queue.take());
}

TEST_CASE("SendQueue: a line takes by itself only while the queue is open, and only what is fit") {
    SendQueue queue(2);
    queue.fill(queue.reserve(), 10);
    const auto any = [](SlotNumber) { return true; };
    CHECK_FALSE(queue.take_if(any));
    queue.open(true);
    CHECK_FALSE(queue.take_if([](SlotNumber) { return false; }));
    CHECK(queue.take_if(any) == 10);
    CHECK_FALSE(queue.take_if(any));
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
