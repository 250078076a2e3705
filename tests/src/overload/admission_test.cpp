#include "src/overload/admission.hpp"

#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::overload;
using namespace std::chrono_literals;

namespace {

constexpr GroupId red{1};
constexpr GroupId blue{2};

/// Two groups of four lines, half a second a segment, T_max 10 s at each level: 80 segments, of which
/// the doubt about even service times takes some.
struct Door {
    explicit Door(bool protect = true)
        : admission(
              {.protect = protect, .t_max = {10s, 10s, 10s, 10s, 10s, 10s, 10s}}, store, responses,
              [this](const std::string& group) { return lines[group]; }, clock,
              [this] { ++called; }) {
        admission.add_group(red, "red");
        admission.add_group(blue, "blue");
        lines["red"] = lines["blue"] = {.able = 4, .total = 4};
        measured(red);
        measured(blue);
    }

    void measured(GroupId group) {
        for (int i = 0; i < 128; ++i) {
            responses.served(group, 500ms, true);
        }
    }
    Answer ask(const char* group, Level level, std::uint64_t who = 1, std::uint32_t segments = 1) {
        return admission.ask({.group = group, .level = level, .segments = segments, .who = who});
    }
    bool lets_in(const char* group, Level level, std::uint64_t who = 1) {
        const Answer answer = ask(group, level, who);
        if (!answer.refusal) {
            admission.settled(answer.ticket, false);  // the next question finds the same
        }
        return !answer.refusal;
    }

    test::ManualClock clock;
    test::HeldStore store;
    std::map<std::string, ports::GroupLines> lines;
    int called = 0;  // for more lines
    ResponseModel responses{clock};
    Admission admission;
};

/// The next run of the service, on the same store and the same lines.
struct NextDoor {
    explicit NextDoor(Door& before)
        : responses(before.clock),
          admission(
              {.t_max = {10s, 10s, 10s, 10s, 10s, 10s, 10s}}, before.store, responses,
              [&before](const std::string& group) { return before.lines[group]; }, before.clock) {
        admission.add_group(red, "red");
        admission.add_group(blue, "blue");
    }

    ResponseModel responses;
    Admission admission;
};

std::string verdict(Admission& admission, Level level) {
    const auto refusal = admission.look({.group = "red", .level = level});
    return refusal ? refusal->context + "; in " + std::to_string(refusal->retry_after->count())
                   : "accepted";
}

}  // namespace

TEST_CASE(
    "Admission: a flood at level 0 does not refuse level 6, and one at level 6 refuses those "
    "below") {
    Door door;
    door.store.work_by_group[red] = {500, 0, 0, 0, 0, 0, 0};
    CHECK_FALSE(door.lets_in("red", 0));
    for (Level level = 1; level < level_count; ++level) {
        CAPTURE(level);
        CHECK(door.lets_in("red", level));
    }
    door.store.work_by_group[red] = {0, 0, 0, 0, 0, 0, 500};
    for (Level level = 0; level < level_count; ++level) {
        CAPTURE(level);
        CHECK_FALSE(door.lets_in("red", level));
    }
}

TEST_CASE("Admission: a sick group refuses only its own") {
    Door door;
    SUBCASE("it has too much work") {
        door.store.work_by_group[red] = {0, 0, 0, 500, 0, 0, 0};
    }
    SUBCASE("its messages take too long") {
        door.responses.responded(red, 3, 11s);
    }
    SUBCASE("no line of it can send") {
        door.lines["red"] = {.able = 0, .total = 4};
        CHECK(door.lets_in("red", 3));  // for a while that is no reason
        door.clock.advance(11s);
    }
    SUBCASE("its network refuses all") {
        for (int i = 0; i < 128; ++i) {
            door.responses.served(red, 5s, false);
        }
        door.store.work_by_group[red] = door.store.work_by_group[blue] = {0, 0, 0, 10, 0, 0, 0};
    }
    CHECK_FALSE(door.lets_in("red", 3));
    CHECK(door.lets_in("blue", 3));
}

TEST_CASE(
    "Admission: a paused group refuses no message, and gives no time; it is judged again "
    "afterwards") {
    Door door;
    door.store.work_by_group[red] = {0, 0, 0, 500, 0, 0, 0};
    CHECK_FALSE(door.lets_in("red", 3));
    door.lines["red"].paused = true;
    door.clock.advance(1s);  // the lines are looked at again
    CHECK_FALSE(door.admission.look({.group = "red", .level = 3}));
    const Answer answer = door.ask("red", 3);
    CHECK_FALSE(answer.refusal);
    CHECK_FALSE(answer.expected);
    door.admission.settled(answer.ticket, true);
    CHECK_FALSE(door.admission.loads().at(0).levels.at(3).refuses);
    door.lines["red"].paused = false;
    door.clock.advance(1s);
    CHECK_FALSE(door.lets_in("red", 3));
    CHECK(door.admission.look({.group = "red", .level = 3}));
}

TEST_CASE("Admission: a slow level refuses only itself") {
    Door door;
    door.responses.responded(red, 3, 11s);
    for (Level level = 0; level < level_count; ++level) {
        CAPTURE(level);
        CHECK(door.lets_in("red", level) == (level != 3));
    }
}

TEST_CASE(
    "Admission: what is admitted and not committed yet counts, so that a burst can't slip in") {
    Door door;
    std::vector<Ticket> tickets;
    for (std::uint64_t who = 1; who <= 200; ++who) {
        const Answer answer = door.ask("red", 3, who);
        if (!answer.refusal) {
            tickets.push_back(answer.ticket);
        }
    }
    CHECK(tickets.size() > 60);
    CHECK(tickets.size() <= 80);
    for (const Ticket& ticket : tickets) {
        door.admission.settled(ticket, false);  // the store refused them: nothing is there
    }
    CHECK(door.lets_in("red", 3, 1000));
}

TEST_CASE("Admission: the same message that comes again at its time goes before others") {
    Door door;
    door.store.work_by_group[red] = {0, 0, 0, 90, 0, 0, 0};
    const Answer first = door.ask("red", 3, 42);
    REQUIRE(first.refusal);
    const auto wait = *first.refusal->retry_after;
    CHECK(wait > 1s);
    CHECK(wait < 6s);
    door.clock.advance(wait);
    door.store.work_by_group[red] = {0, 0, 0, 76, 0, 0, 0};  // a place for one, and the doubt
    CHECK_FALSE(door.lets_in("red", 3, 43));
    CHECK(door.lets_in("red", 3, 42));
}

TEST_CASE("Admission: a client that comes too early gets the rest of its time, not another one") {
    Door door;
    door.store.work_by_group[red] = {0, 0, 0, 200, 0, 0, 0};
    const auto wait = *door.ask("red", 3, 42).refusal->retry_after;
    door.clock.advance(5s);
    const auto rest = *door.ask("red", 3, 42).refusal->retry_after;
    CHECK(rest == wait - 5s);
}

TEST_CASE("Admission: a refusal names group, level and reason, and nothing of the message") {
    Door door;
    door.store.work_by_group[red] = {0, 0, 0, 200, 0, 0, 0};
    const Error error = *door.ask("red", 3).refusal;
    CHECK(error.code == Errc::overloaded);
    CHECK(error.context.starts_with("group red, level 3: 200 segments are ahead"));
    CHECK(error.context.find("4 modems") != std::string::npos);
    CHECK(error.retry_after);
}

TEST_CASE("Admission: without protection everything comes in") {
    Door door(false);
    door.store.work_by_group[red] = {0, 0, 0, 100'000, 0, 0, 0};
    door.responses.responded(red, 3, 100s);
    const Answer answer = door.ask("red", 3);
    CHECK_FALSE(answer.refusal);
    CHECK(answer.expected > 10s);  // and learns how long it will take
}

TEST_CASE("Admission: a group that was not measured yet takes some, and not without bound") {
    test::ManualClock clock;
    test::HeldStore store;
    ResponseModel responses(clock);
    Admission admission(
        {.t_max = {60s, 60s, 60s, 60s, 60s, 60s, 60s}}, store, responses,
        [](const std::string&) { return ports::GroupLines{.able = 0, .total = 2}; }, clock);
    admission.add_group(red, "red");
    int accepted = 0;
    for (std::uint64_t who = 1; who <= 100; ++who) {
        accepted += admission.ask({.group = "red", .level = 3, .who = who}).refusal ? 0 : 1;
    }
    CHECK(accepted == 40);  // two lines at the 20 segments a minute that they are credited with
}

TEST_CASE(
    "Admission: how long a message will take is predicted where the group is measured and can "
    "send") {
    Door door;
    door.store.work_by_group[red] = {0, 0, 0, 23, 0, 0, 0};
    const Answer answer = door.ask("red", 3);
    REQUIRE(answer.expected);
    CHECK(*answer.expected == 3000ms);  // 20 until a line is free at 8/s, and half a second
    door.clock.advance(1s);
    door.lines["red"].able = 0;
    CHECK_FALSE(door.ask("red", 3, 2).expected);
}

TEST_CASE(
    "Admission: a refused message is the probe of a level without samples, and its time counts") {
    Door door;
    door.responses.responded(red, 3, 11s);
    door.clock.advance(5s);
    const Answer refused = door.ask("red", 3);
    REQUIRE(refused.refusal);
    REQUIRE(refused.probe);  // the only sample is old
    door.admission.probed(refused.ticket);
    CHECK_FALSE(door.ask("red", 3, 2).probe);  // one is under way, or its sample is fresh
    // Nothing was before the probe, so its time is that of a service: the mean is back under T_max.
    CHECK(door.responses.t_recent(red, 3, 10s)->count() == doctest::Approx((11 + 0.5) / 2));
    CHECK(door.lets_in("red", 3, 2));
}

TEST_CASE(
    "Admission: a probe waits for what is before it, and not for what comes after it at its "
    "level") {
    Door door;
    door.store.work_by_group[red] = {0, 0, 0, 100, 0, 0, 0};
    const Answer refused = door.ask("red", 3);
    REQUIRE(refused.probe);
    door.admission.probed(refused.ticket);
    door.clock.advance(12s);
    door.store.work_by_group[red] = {0, 0, 0, 4, 0, 0, 0};  // all four lines have one
    const Answer later = door.ask("red", 3, 2);
    REQUIRE(later.refusal);  // it has taken 12 s already
    CHECK(later.refusal->context.find("took 12.0 s") != std::string::npos);
    door.store.work_by_group[red] = {0, 0, 0, 3, 0, 0, 0};
    door.responses.served(red, 500ms, true);
    // No one asked in this second: the probe ended when the last one was served.
    door.clock.advance(1s);
    (void)door.ask("red", 3, 3);
    CHECK(door.responses.t_recent(red, 3, 10s)->count() == doctest::Approx(12.5));
}

TEST_CASE("Admission: a group that no line is configured for is not judged") {
    Door door;
    const Answer answer = door.ask("green", 3);
    CHECK_FALSE(answer.refusal);
    CHECK(answer.ticket.segments == 0);
    door.admission.settled(answer.ticket, true);
}

TEST_CASE("Admission: its view shows the work of each level, and which levels would be refused") {
    Door door;
    door.store.work_by_group[red] = {1, 0, 0, 100, 0, 0, 5};
    const auto loads = door.admission.loads();
    REQUIRE(loads.size() == 2);
    CHECK(loads[0].name == "red");
    CHECK(loads[0].lines.able == 4);
    CHECK(loads[0].rate.value_or(0) == doctest::Approx(8));
    CHECK(loads[0].levels[6].ahead == 5);
    CHECK(loads[0].levels[3].ahead == 105);
    CHECK(loads[0].levels[0].ahead == 106);
    CHECK_FALSE(loads[0].levels[6].refuses);
    CHECK(loads[0].levels[3].refuses);
    CHECK(loads[1].levels[0].ahead == 0);
}

TEST_CASE("Admission: the next run judges as the one before did, where one without it does not") {
    struct Situation {
        const char* so;
        void (*make)(Door&);
    };
    for (const Situation& situation : {
             Situation{"fast lines keep up with a deep backlog",
                       [](Door& door) {
                           for (int i = 0; i < 512; ++i) {
                               door.responses.served(red, 20ms, true);
                           }
                           door.store.work_by_group[red] = {0, 0, 0, 1'000, 0, 0, 0};
                       }},
             Situation{"slow lines do not keep up with a short one",
                       [](Door& door) {
                           for (int i = 0; i < 512; ++i) {
                               door.responses.served(red, i % 2 == 0 ? 8s : 4s, i % 3 != 0);
                           }
                           door.store.work_by_group[red] = {0, 0, 0, 6, 0, 0, 0};
                       }},
             Situation{"messages took too long recently",
                       [](Door& door) {
                           door.responses.responded(red, 3, 8s);
                           door.clock.advance(4s);
                           door.responses.responded(red, 3, 20s);
                       }},
             Situation{"no line could send for too long",
                       [](Door& door) {
                           door.lines["red"] = {.able = 0, .total = 4};
                           CHECK(door.lets_in("red", 3));
                           door.clock.advance(11s);
                       }},
             Situation{"what comes at higher levels takes nearly all",
                       [](Door& door) {
                           door.store.work_by_group[red] = {0, 0, 0, 10, 0, 0, 0};
                           for (int i = 0; i < 32; ++i) {
                               door.admission.settled(door.ask("red", 6).ticket, true);
                               door.clock.advance(125ms);
                           }
                       }},
             Situation{"a probe does not advance",
                       [](Door& door) {
                           door.store.work_by_group[red] = {0, 0, 0, 100, 0, 0, 0};
                           door.admission.probed(door.ask("red", 3).ticket);
                           door.clock.advance(12s);
                           door.store.work_by_group[red] = {0, 0, 0, 4, 0, 0, 0};
                       }},
         }) {
        CAPTURE(situation.so);
        Door door;
        situation.make(door);
        NextDoor unknowing(door);
        NextDoor next(door);
        next.admission.adopt(door.admission.carried());
        for (Level level = 0; level < level_count; ++level) {
            CAPTURE(level);
            CHECK(verdict(next.admission, level) == verdict(door.admission, level));
        }
        CHECK(verdict(unknowing.admission, 3) != verdict(door.admission, 3));
        CHECK(next.admission.load("red")->rate == door.admission.load("red")->rate);
    }
}

TEST_CASE("Admission: a client that got a time finds its place in the next run too") {
    Door door;
    door.store.work_by_group[red] = {0, 0, 0, 90, 0, 0, 0};
    const auto wait = *door.ask("red", 3, 42).refusal->retry_after;
    NextDoor next(door);
    next.admission.adopt(door.admission.carried());
    door.clock.advance(wait);
    door.store.work_by_group[red] = {0, 0, 0, 76, 0, 0, 0};  // a place for one, and the doubt
    CHECK(next.admission.ask({.group = "red", .level = 3, .who = 43}).refusal);
    CHECK_FALSE(next.admission.ask({.group = "red", .level = 3, .who = 42}).refusal);
}

TEST_CASE(
    "Admission: a probe under way ends in the next run where it would have ended in this one") {
    Door door;
    door.store.work_by_group[red] = {0, 0, 0, 100, 0, 0, 0};
    door.admission.probed(door.ask("red", 3).ticket);
    NextDoor next(door);
    next.admission.adopt(door.admission.carried());
    door.clock.advance(12s);
    door.store.work_by_group[red] = {0, 0, 0, 3, 0, 0, 0};
    next.responses.served(red, 500ms, true);
    (void)next.admission.ask({.group = "red", .level = 3, .who = 2});
    CHECK(next.responses.t_recent(red, 3, 10s)->count() == doctest::Approx(12.5).epsilon(0.001));
}

TEST_CASE(
    "Admission: a group that the next run has no more is forgotten, a new one is not measured") {
    Door door;
    auto left = door.admission.carried();
    REQUIRE(left.size() == 2);
    left.at(0).name = "green";
    NextDoor next(door);
    next.admission.adopt(left);
    CHECK_FALSE(next.admission.load("red")->rate);
    CHECK(next.admission.load("blue")->rate);
    CHECK(next.admission.carried().size() == 2);
}

TEST_CASE("Admission: parked lines are capacity, and are called for before half of the promise") {
    Door door;
    door.lines["red"] = {.able = 2, .total = 4, .parked = {200ms, 200ms}};
    const auto needed = [&] {
        const auto all = door.admission.lines_needed();
        return all.empty() ? 0 : all.front().lines;
    };
    const auto work = [&](std::int64_t segments) {
        door.store.work_by_group[red] = {0, 0, 0, 0, 0, 0, segments};
        door.clock.advance(1s);  // the lines are counted again
    };
    work(10);  // 2.5 s on two lines
    CHECK(door.lets_in("red", 6));
    CHECK(door.called == 0);
    CHECK(needed() == 2);
    work(22);  // 5.5 s
    CHECK(door.lets_in("red", 6));
    CHECK(door.lets_in("red", 6));
    CHECK(door.called == 1);  // once for each count of the lines
    CHECK(needed() == 3);
    work(60);  // 15 s on two lines, 7.5 s on four
    CHECK(door.lets_in("red", 6));
    CHECK(door.called == 2);
    CHECK(needed() == 4);
    work(100);
    CHECK_FALSE(door.lets_in("red", 6));
    CHECK(door.called == 3);
    door.lines["red"].parked.clear();
    work(60);
    CHECK_FALSE(door.lets_in("red", 6));
    CHECK(door.called == 3);  // there are none
    door.lines["red"] = {.able = 2, .total = 4, .parked = {200ms, 200ms}, .paused = true};
    work(60);
    CHECK(door.lets_in("red", 6));
    CHECK(door.called == 3);  // a person holds it
    CHECK(needed() == 0);
}

TEST_CASE("Admission: who is refused is counted, once, however often it asks") {
    Door door;
    door.store.work_by_group[red] = {0, 0, 0, 0, 0, 0, 500};
    for (int i = 0; i < 3; ++i) {
        for (std::uint64_t who = 1; who <= 5; ++who) {
            CHECK_FALSE(door.lets_in("red", 6, who));
        }
    }
    CHECK(door.admission.refused() == 5);
    (void)door.admission.look({.group = "red", .level = 6});
    CHECK(door.admission.refused() == 5);
}
