#include "src/webhook/window.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using webhook::Window;

namespace {

constexpr SteadyTime start = SteadyTime{} + 1h;

ports::Delivery delivery(std::int64_t event, std::uint32_t tries = 0, std::size_t bytes = 2) {
    return {.what = {.event = EventSeq{event}, .body = std::string(bytes, 'x')}, .tries = tries};
}

std::vector<ports::Delivery> some(std::initializer_list<std::int64_t> events) {
    std::vector<ports::Delivery> all;
    for (const std::int64_t event : events) {
        all.push_back(delivery(event));
    }
    return all;
}

std::vector<std::int64_t> give(Window& window, std::size_t limit, SteadyTime now = start,
                               bool fresh = true) {
    std::vector<std::int64_t> events;
    const auto given = window.give(limit, fresh, now);
    for (const ports::Delivery& one : given) {
        events.push_back(one.what.event.value);
    }
    return events;
}

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("Window: gives each once, in order, as many as are wanted") {
    Window window;
    window.add(some({1, 2, 3}));
    window.add(some({2, 3, 4}));  // read again
    CHECK(window.ready() == 4);
    CHECK(give(window, 3) == Numbers{1, 2, 3});
    CHECK(window.in_flight() == 3);
    window.add(some({1, 2}));  // still due in the store
    CHECK(give(window, 9) == Numbers{4});
}

TEST_CASE("Window: what a gate holds is not given; what another gate had is given again, first") {
    Window window;
    window.add(some({1, 2, 3, 4}));
    CHECK(give(window, 2) == Numbers{1, 2});
    window.held({EventSeq{2}}, true, start);
    CHECK(window.in_flight() == 1);
    CHECK(give(window, 1) == Numbers{1});
    // Of a process before this one: held, though not read yet.
    window.held({EventSeq{2}, EventSeq{1}, EventSeq{9}}, false, start);
    CHECK(window.in_flight() == 3);
    window.add(some({9}));
    CHECK(window.in_flight() == 3);
    CHECK(give(window, 9) == Numbers{3, 4});
}

TEST_CASE("Window: what is on its way to the gate is free when it has not come in five seconds") {
    Window window;
    window.held({}, true, start);
    window.add(some({1, 2}));
    CHECK(give(window, 2) == Numbers{1, 2});
    CHECK(window.free_lost(start + 1h) == never);  // the gate has not said what it holds since
    window.held({EventSeq{2}}, false, start + 1s);
    CHECK(window.in_flight() == 2);
    CHECK(window.free_lost(start + 4s) == start + 5s);
    CHECK(window.in_flight() == 2);
    CHECK(window.free_lost(start + 5s) == never);
    CHECK(window.in_flight() == 1);
    CHECK(give(window, 2, start + 5s) == Numbers{1});
}

TEST_CASE("Window: a result that is being written is neither free nor given") {
    Window window;
    window.add(some({1, 2}));
    CHECK(give(window, 2) == Numbers{1, 2});
    window.decide(EventSeq{1});
    CHECK(window.is_deciding(EventSeq{1}));
    window.held({}, true, start + 1h);
    CHECK(give(window, 9) == Numbers{2});
    window.decided(EventSeq{1}, false);  // the disk refused it
    window.held({}, true, start + 2h);
    CHECK(give(window, 9) == Numbers{1, 2});
    window.decide(EventSeq{2});
    window.decided(EventSeq{2}, true);
    CHECK(window.find(EventSeq{2}) == nullptr);
}

TEST_CASE("Window: a result of something that was free again counts") {
    Window window;
    window.add(some({1}));
    CHECK(give(window, 1) == Numbers{1});
    window.held({}, true, start);
    CHECK(window.ready() == 1);
    window.decide(EventSeq{1});
    CHECK(window.ready() == 0);
    window.decided(EventSeq{1}, true);
    CHECK(window.known() == 0);
}

TEST_CASE("Window: while a webhook fails, retries go and fresh ones may have to wait") {
    Window window;
    window.add({delivery(1), delivery(2, 3), delivery(3)});
    CHECK(window.retries() == 1);
    CHECK(give(window, 9, start, false) == Numbers{2});
    CHECK(give(window, 9, start, true) == Numbers{1, 3});
}

TEST_CASE("Window: what is outdated counts as under way, and is known when it was read again") {
    Window window;
    window.add(some({1, 2, 3}));
    CHECK(give(window, 2) == Numbers{1, 2});
    window.outdate();
    CHECK(window.known() == 2);
    CHECK(window.find(EventSeq{1}) == nullptr);
    CHECK(window.adopt({delivery(1, 4)}, {EventSeq{1}}).empty());  // it was here
    REQUIRE(window.find(EventSeq{1}) != nullptr);
    CHECK(window.find(EventSeq{1})->tries == 4);
    CHECK_FALSE(window.take_dropped());
    window.held({EventSeq{1}}, true, start);  // the gate has lost the second one
    CHECK(window.ready() == 0);
    CHECK(window.take_dropped());
    window.add(some({2}));
    CHECK(give(window, 2) == Numbers{2});
}

TEST_CASE("Window: what was adopted for a repeated result is not there after it") {
    Window window;
    CHECK(window.adopt(some({1}), {EventSeq{1}}) == std::vector{EventSeq{1}});
    window.disown(EventSeq{1});
    CHECK(window.known() == 0);
    CHECK(window.adopt(some({1}), {EventSeq{1}}).size() == 1);
    window.decide(EventSeq{1});
    window.disown(EventSeq{1});
    CHECK(window.known() == 1);
}

TEST_CASE("Window: large bodies are given in several answers") {
    Window window;
    for (std::int64_t i = 1; i <= 5; ++i) {
        window.add({delivery(i, 0, 20'000)});
    }
    CHECK(give(window, 9) == Numbers{1, 2});
    CHECK(give(window, 9) == Numbers{3, 4});
    CHECK(give(window, 9) == Numbers{5});
}
