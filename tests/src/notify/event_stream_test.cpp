#include "src/notify/event_stream.hpp"

#include "tests/support/manual_executor.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::notify;

namespace {

struct Listener final : EventSubscriber {
    void events_wait() override {
        ++wakes;
        if (looks_for) {
            looks_for();
        }
    }
    int wakes = 0;
    std::function<void()> looks_for = {};
};

std::vector<Event> events(std::int64_t from, std::int64_t to) {
    std::vector<Event> made;
    for (std::int64_t seq = from; seq <= to; ++seq) {
        made.push_back({.seq = EventSeq{seq}});
    }
    return made;
}

}  // namespace

TEST_CASE("EventStream: without a subscriber nothing is kept, and the store has to be asked") {
    test::ManualExecutor loop;
    EventStream stream(loop);
    stream.committed(events(1, 10));
    CHECK(loop.run_all() == 0);
    CHECK_FALSE(stream.after(EventSeq{5}, 10).has_value());
}

TEST_CASE(
    "EventStream: a subscriber is woken once for what waits, and reads on from where it was") {
    test::ManualExecutor loop;
    EventStream stream(loop);
    stream.committed(events(1, 10));
    Listener listener;
    stream.subscribe(listener);
    CHECK(stream.after(EventSeq{10}, 10)->events.empty());
    CHECK_FALSE(stream.after(EventSeq{9}, 10).has_value());
    stream.committed(events(11, 12));
    stream.committed(events(13, 15));
    loop.run_all();
    CHECK(listener.wakes == 1);
    const auto got = stream.after(EventSeq{10}, 3);
    REQUIRE(got.has_value());
    REQUIRE(got->events.size() == 3);
    CHECK(got->events.front().seq == EventSeq{11});
    CHECK(got->events.back().seq == EventSeq{13});
    CHECK(stream.after(EventSeq{13}, 100)->events.size() == 2);
    stream.committed(events(16, 16));
    loop.run_all();
    CHECK(listener.wakes == 2);
}

TEST_CASE("EventStream: what an earlier process committed has to be read from the store") {
    test::ManualExecutor loop;
    EventStream stream(loop);
    stream.starts_after(EventSeq{40});
    Listener listener;
    stream.subscribe(listener);
    CHECK_FALSE(stream.after(EventSeq{39}, 10).has_value());
    CHECK(stream.after(EventSeq{40}, 10)->events.empty());
}

TEST_CASE("EventStream: the tail is bounded, and who is behind it is sent to the store") {
    test::ManualExecutor loop;
    EventStream stream(loop);
    Listener listener;
    stream.subscribe(listener);
    const auto max = static_cast<std::int64_t>(EventStream::tail_max);
    stream.committed(events(1, max + 5));
    CHECK_FALSE(stream.after(EventSeq{4}, 1).has_value());
    CHECK(stream.after(EventSeq{5}, 1)->events.front().seq == EventSeq{6});
}

TEST_CASE("EventStream: gaps in seq are no events") {
    test::ManualExecutor loop;
    EventStream stream(loop);
    Listener listener;
    stream.subscribe(listener);
    const std::vector<Event> some{{.seq = EventSeq{3}}, {.seq = EventSeq{7}}};
    stream.committed(some);
    CHECK(stream.after(EventSeq{4}, 10)->events.front().seq == EventSeq{7});
    CHECK(stream.after(EventSeq{7}, 10)->events.empty());
}

TEST_CASE("EventStream: who left is not woken, and the last one takes the tail along") {
    test::ManualExecutor loop;
    EventStream stream(loop);
    Listener one;
    Listener two;
    stream.subscribe(one);
    stream.subscribe(two);
    stream.committed(events(1, 3));
    stream.unsubscribe(one);
    loop.run_all();
    CHECK(one.wakes == 0);
    CHECK(two.wakes == 1);
    stream.unsubscribe(two);
    stream.subscribe(one);
    CHECK_FALSE(stream.after(EventSeq{2}, 10).has_value());
    CHECK(stream.after(EventSeq{3}, 10)->events.empty());
}

TEST_CASE(
    "EventStream: the row of a received message is at hand in the wake-up for it, and no longer") {
    test::ManualExecutor loop;
    EventStream stream(loop);
    Listener listener;
    stream.subscribe(listener);
    const auto row = [](std::int64_t id, std::size_t octets = 1) {
        return ports::InboxRow{.id = InboxId{id}, .content = {.text = std::string(octets, 'x')}};
    };
    std::vector<bool> found;
    const auto look_for = [&](std::vector<std::int64_t> ids) {
        listener.looks_for = [&, ids] {
            found.clear();
            for (const std::int64_t id : ids) {
                found.push_back(stream.received(InboxId{id}) != nullptr);
            }
        };
    };
    look_for({7, 8, 9});
    stream.committed(events(1, 1), std::vector{row(7)});
    stream.committed(events(2, 2), std::vector{row(8)});
    CHECK(stream.received(InboxId{7}) == nullptr);
    loop.run_all();
    CHECK(found == std::vector{true, true, false});
    CHECK(stream.received(InboxId{7}) == nullptr);
    stream.committed(events(3, 3), std::vector{row(9)});
    loop.run_all();
    CHECK(found == std::vector{false, false, true});

    SUBCASE("more text than its bound is left to the store") {
        look_for({10, 11, 12});
        stream.committed(events(4, 6),
                         std::vector{row(10), row(11, EventStream::rows_bytes_max), row(12)});
        loop.run_all();
        CHECK(found == std::vector{true, false, false});
        const auto places =
            static_cast<std::int64_t>(EventStream::rows_bytes_max / sizeof(ports::InboxRow));
        look_for({20 + places});
        std::vector<ports::InboxRow> empty;
        for (std::int64_t id = 20; id <= 20 + places; ++id) {
            empty.push_back(row(id, 0));
        }
        stream.committed(events(7, 7), empty);
        loop.run_all();
        CHECK(found == std::vector{false});
        look_for({13});
        stream.committed(events(8, 8), std::vector{row(13)});
        loop.run_all();
        CHECK(found == std::vector{true});
    }
}
