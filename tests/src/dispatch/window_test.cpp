#include "src/dispatch/window.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using dispatch::RefillEvent;
using dispatch::RefillState;
using dispatch::Window;

namespace {

constexpr WallTime noon = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 12h;
constexpr Level level = 3;

OutMessage message_of(std::int64_t id, std::int64_t queued_by = 0, WallTime queued_at = {}) {
    OutMessage message;
    message.id = MessageId{id};
    message.group = GroupId{1};
    message.level = level;
    message.queued_by = EventSeq{queued_by};
    message.queued_at = queued_at;
    return message;
}

/// One group with one line.
struct OneGroup {
    Window window;
    explicit OneGroup(std::size_t places = 1'000) : window(places, {}) {
        window.add_group(GroupId{1});
        window.add_line();
    }
    std::optional<Window::Question> ask(std::size_t waiting = 0, std::size_t free = 1'000) {
        return window.ask(0, level, waiting, free);
    }
    Window::Answer answered(std::size_t asked, std::optional<std::size_t> rows) {
        return window.answered(0, level, asked, rows);
    }
    /// The store is asked, and has no more than these.
    void read_all(const std::vector<OutMessage>& rows = {}) {
        const auto question = ask();
        REQUIRE(question);
        REQUIRE(answered(question->limit, rows.size()) == Window::Answer::used);
        for (const OutMessage& row : rows) {
            window.loaded(0, level, row);
        }
    }
};

}  // namespace

TEST_CASE("refill: every pair of state and event has a row, but those that cannot be") {
    for (std::size_t s = 0; s < dispatch::refill_state_count; ++s) {
        for (std::size_t e = 0; e < dispatch::refill_event_count; ++e) {
            CAPTURE(s);
            CAPTURE(e);
            const auto from = static_cast<RefillState>(s);
            const auto on = static_cast<RefillEvent>(e);
            const auto to = dispatch::next(from, on);
            const bool is_answer = on >= RefillEvent::all_came;
            if (is_answer) {
                CHECK(to.has_value() == dispatch::is_reading(from));
            } else if (on == RefillEvent::asked) {
                CHECK(to.has_value() ==
                      (from == RefillState::behind || from == RefillState::rewound));
            } else {
                CHECK(to.has_value());
            }
            if (to) {  // only a question begins to read, and only an answer ends it
                const bool reads = dispatch::is_reading(from);
                CHECK(dispatch::is_reading(*to) ==
                      (on == RefillEvent::asked || (reads && !is_answer)));
            }
        }
    }
}

TEST_CASE("Window: a level is read on from its last message, until the store has no more") {
    OneGroup one;
    const auto first = one.ask();
    REQUIRE(first);
    CHECK(first->after == EventSeq{});
    CHECK(first->limit > 2);
    CHECK_FALSE(one.ask());  // the answer is to come
    CHECK(one.window.is_reading(0, level));
    CHECK(one.answered(first->limit, first->limit) == Window::Answer::used);
    one.window.loaded(0, level, message_of(1, 10));
    one.window.loaded(0, level, message_of(2, 20));
    const auto second = one.ask();
    REQUIRE(second);
    CHECK(second->after == EventSeq{20});
    CHECK(one.answered(second->limit, 0) == Window::Answer::used);
    CHECK_FALSE(one.ask());
    one.window.news(0, level);
    CHECK(one.ask());
}

TEST_CASE("Window: news that come while the store is asked are read with the next question") {
    OneGroup one;
    const auto question = one.ask();
    REQUIRE(question);
    one.window.news(0, level);
    CHECK(one.answered(question->limit, 0) == Window::Answer::used);
    CHECK(one.ask());
}

TEST_CASE("Window: what has enough in memory, or no place for more, is not read") {
    OneGroup one;
    CHECK_FALSE(one.ask(100, 1'000));
    CHECK_FALSE(one.ask(0, 0));
    const auto some = one.ask(0, 2);
    REQUIRE(some);
    CHECK(some->limit == 2);
}

TEST_CASE("Window: rewound, a level is read from its oldest message whatever it has") {
    OneGroup one;
    one.read_all({message_of(1, 10)});
    one.window.rewind();
    const auto question = one.ask(100);
    REQUIRE(question);
    CHECK(question->after == EventSeq{});
    SUBCASE("and once more where the store could not read") {
        CHECK(one.answered(question->limit, std::nullopt) == Window::Answer::failed);
        CHECK(one.ask(100));
    }
    SUBCASE("once") {
        CHECK(one.answered(question->limit, question->limit) == Window::Answer::used);
        CHECK_FALSE(one.ask(100));
        CHECK(one.ask(0));
    }
}

TEST_CASE(
    "Window: rows that were asked for before a rewind are loaded, and no question begins after "
    "them") {
    OneGroup one;
    const auto question = one.ask();
    REQUIRE(question);
    one.window.rewind();
    CHECK(one.answered(question->limit, 1) == Window::Answer::used);
    one.window.loaded(0, level, message_of(7, 100));
    const auto again = one.ask(100);
    REQUIRE(again);
    CHECK(again->after == EventSeq{});
}

TEST_CASE("Window: rows that were read while the times moved are not used") {
    OneGroup one;
    const auto question = one.ask();
    REQUIRE(question);
    one.window.times_moved();
    one.window.rewind();  // a pause ends meanwhile
    SUBCASE("rows") {
        CHECK(one.answered(question->limit, 1) == Window::Answer::unused);
    }
    SUBCASE("none") {
        CHECK(one.answered(question->limit, std::nullopt) == Window::Answer::unused);
    }
    const auto again = one.ask(100);
    REQUIRE(again);
    CHECK(again->after == EventSeq{});
}

TEST_CASE("Window: rows that found no place are read again") {
    OneGroup one;
    const auto question = one.ask();
    REQUIRE(question);
    CHECK(one.answered(question->limit, 2) == Window::Answer::used);
    one.window.loaded(0, level, message_of(1, 10));
    one.window.news(0, level);  // no place for the second one
    const auto again = one.ask();
    REQUIRE(again);
    CHECK(again->after == EventSeq{10});
}

TEST_CASE("Window: while a level is read, what goes before it must not be overtaken") {
    OneGroup one;
    const Turn high{.first = 5, .since = noon, .id = MessageId{1}};
    const Turn low{.first = 0, .since = noon, .id = MessageId{2}};
    CHECK_FALSE(one.window.may_bring_better(0, low, noon));
    one.read_all({message_of(1, 10, noon)});
    one.window.news(0, level);
    REQUIRE(one.ask());
    CHECK(one.window.may_bring_better(0, low, noon));
    CHECK_FALSE(one.window.may_bring_better(0, high, noon));  // that level's oldest is of noon
    one.window.rewind();
    CHECK(one.window.may_bring_better(0, high, noon));  // now it may be of any age
}

TEST_CASE("Window: while the top is read, its own messages do not take the turn of the promoted") {
    OneGroup one;
    const Turn promoted{.first = 3, .since = noon - 1h, .id = MessageId{1}};
    const auto better = [&](Window::Lane lane) {
        return one.window.may_bring_better(0, promoted, noon, lane);
    };
    REQUIRE(one.window.ask(0, level_max, 0, 1'000));
    CHECK(better(Window::Lane::all));
    CHECK_FALSE(better(Window::Lane::promoted));
    REQUIRE(one.window.ask(0, level_max - 1, 0, 1'000));  // may have one that was promoted before
    CHECK(better(Window::Lane::promoted));
}

TEST_CASE("Window: what was set aside is read again at the earliest of its times, or before") {
    OneGroup one;
    one.read_all();
    one.window.end_set_aside(0);  // nothing is
    CHECK_FALSE(one.ask());
    one.window.set_aside(0, noon + 2h);
    one.window.set_aside(0, noon + 1h);
    one.window.set_aside(0, noon + 3h);
    one.window.end_set_aside(0, noon + 59min);
    CHECK_FALSE(one.ask());
    SUBCASE("its time is over") {
        one.window.end_set_aside(0, noon + 1h);
    }
    SUBCASE("a SIM came") {
        one.window.end_set_aside(0);
    }
    CHECK(one.ask());
}

TEST_CASE("Window: the more is set aside, the later is it read again") {
    OneGroup one;
    one.read_all();
    for (int i = 0; i < 40'000; ++i) {
        one.window.set_aside(0, noon);
    }
    CHECK(one.window.set_aside_until(0) == noon + 1s);
    one.window.end_set_aside(0, noon + 999ms);
    CHECK_FALSE(one.ask());
    one.window.end_set_aside(0, noon + 1s);
    CHECK(one.ask());
    one.window.set_aside(0, noon);
    CHECK(one.window.set_aside_until(0) == noon);
}

TEST_CASE("Window: no message enters memory twice") {
    OneGroup one;
    CHECK(one.window.enter(MessageId{1}));
    CHECK_FALSE(one.window.enter(MessageId{1}));
    CHECK(one.window.in_memory().size() == 1);
    one.window.leave(MessageId{1});
    CHECK(one.window.enter(MessageId{1}));
}

TEST_CASE("Window: due retries are wished for where there is room, until the store has no more") {
    OneGroup one;
    const auto wishes = [&](std::size_t free, std::size_t here) {
        return one.window.retry_wishes(
            free, [&](std::uint16_t, Level at) { return at == level ? here : std::size_t{0}; });
    };
    const auto limit_of = [&](const std::vector<ports::DueWishes::Retries>& wished) {
        const auto found = std::ranges::find(wished, level, &ports::DueWishes::Retries::level);
        return found == wished.end() ? std::size_t{0} : found->limit;
    };
    const std::size_t room = limit_of(wishes(1'000, 0));
    REQUIRE(room > 1);
    CHECK(limit_of(wishes(1'000, 1)) == room - 1);
    CHECK(limit_of(wishes(1'000, room)) == 0);
    CHECK(wishes(0, 0).empty());

    std::size_t all = 0;
    for (const auto& wish : wishes(room + 1, 0)) {
        all += wish.limit;
    }
    CHECK(all == room + 1);  // no more than there are places

    const std::vector<ports::DueWishes::Retries> wished{
        {.group = GroupId{1}, .level = level, .limit = 2}};
    one.window.retries_came(wished, std::vector{message_of(1), message_of(2)});
    CHECK(limit_of(wishes(1'000, 0)) == room);  // there may be more
    one.window.retries_came(wished, std::vector{message_of(3)});
    CHECK(limit_of(wishes(1'000, 0)) == 0);
    one.window.look_for_retries();
    CHECK(limit_of(wishes(1'000, 0)) == room);
}

TEST_CASE("Window: the share of a level shrinks with the lines, whose hands need places too") {
    OneGroup one(200);
    const auto alone = one.ask();
    REQUIRE(alone);
    OneGroup many(200);
    for (int i = 0; i < 20; ++i) {
        many.window.add_line();
    }
    const auto shared = many.ask();
    REQUIRE(shared);
    CHECK(shared->limit < alone->limit);
}
