#include "src/line/submit_run.hpp"

#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using line::RunEvent;
using line::RunState;
using line::SubmitRun;

namespace {

constexpr WallTime noon{std::chrono::milliseconds(1'000'000)};
constexpr SteadyTime start = SteadyTime{} + 1h;

/// A run, and message 42 of the given segments in slot 0.
struct Bench {
    queue::OutSlots slots{1};
    test::SeededRandom random{1};
    SubmitRun run;

    explicit Bench(std::vector<std::string> pdus, line::Pace pace = {}) : run(pace, slots, random) {
        REQUIRE(slots.take() == 0);
        slots[0].message.id = MessageId{42};
        slots[0].pdus = std::move(pdus);
    }

    std::uint64_t begin() { return run.begin(start, noon, {}); }
    /// The end of a segment that began with the given attempt.
    line::SegmentEnd end(std::uint64_t number, std::int64_t attempt, ports::SubmitDone submit) {
        run.attempted(number, AttemptId{attempt});
        CHECK_FALSE(run.take_end(start));
        run.submitted(submit, start + 5s);
        auto ended = run.take_end(start + 5s);
        REQUIRE(ended);
        CHECK_FALSE(run.take_end(start + 5s));
        return *std::move(ended);
    }
};

ports::SubmitDone answer(OutcomeKind kind, bool pdu_sent = true) {
    return {.outcome = {.kind = kind}, .pdu_sent = pdu_sent};
}

}  // namespace

TEST_CASE(
    "SubmitRun: the segments of a message follow each other, each after the one before is stored") {
    Bench bench({"one", "two"});
    SubmitRun& run = bench.run;
    CHECK(run.is_empty());
    run.take(0);
    CHECK(run.state() == RunState::due);
    CHECK(run.segment() == 0);
    CHECK(run.has_more());
    const auto first = bench.end(bench.begin(), 7, answer(OutcomeKind::accepted));
    CHECK_FALSE(first.done.returned);
    CHECK(first.done.segment == 0);
    CHECK(first.done.attempt == AttemptId{7});
    CHECK(first.done.took == 5s);
    CHECK(first.answered == start + 5s);
    CHECK(first.begun_at == noon);
    CHECK(run.state() == RunState::storing);
    CHECK_FALSE(run.rest_is_over(start + 1h, true));
    run.stored();
    CHECK(run.rest_is_over(start + 5s, false));
    CHECK(run.state() == RunState::due);
    CHECK(run.segment() == 1);
    CHECK_FALSE(run.has_more());
    const auto last = bench.end(bench.begin(), 8, answer(OutcomeKind::accepted));
    CHECK(last.done.returned);
    CHECK(last.done.segment == 1);
    CHECK(run.is_empty());
}

TEST_CASE("SubmitRun: it begins with the first segment that was not sent yet") {
    Bench bench({"one", "two", "three"});
    bench.slots[0].first_segment = 2;
    bench.run.take(0);
    CHECK(bench.run.segment() == 2);
    CHECK(bench.run.message().pdus.at(bench.run.segment()) == "three");
}

TEST_CASE("SubmitRun: a segment ends when both answers are there, in either order") {
    for (const bool modem_first : {false, true}) {
        CAPTURE(modem_first);
        Bench bench({"pdu"});
        SubmitRun& run = bench.run;
        run.take(0);
        const std::uint64_t number = bench.begin();
        CHECK_FALSE(run.has_left());
        if (modem_first) {
            run.submitted(answer(OutcomeKind::not_sent, false), start);
            CHECK(run.is_answered());
        } else {
            run.attempted(number, AttemptId{7});
            CHECK(run.attempt() == AttemptId{7});
            CHECK(run.has_left());
        }
        CHECK_FALSE(run.take_end(start));
        if (modem_first) {
            run.attempted(number, AttemptId{7});
        } else {
            run.submitted(answer(OutcomeKind::not_sent, false), start);
        }
        CHECK_FALSE(run.has_left());
        CHECK(run.take_end(start).has_value());
    }
}

TEST_CASE("SubmitRun: an attempt that could not be written is reported with its reason") {
    Bench bench({"one", "two"});
    bench.run.take(0);
    bench.run.attempted(bench.begin(), fail(Errc::storage, "disk full"));
    CHECK_FALSE(bench.run.attempt());
    CHECK_FALSE(bench.run.has_left());
    bench.run.submitted(answer(OutcomeKind::not_sent, false), start);
    const auto end = bench.run.take_end(start);
    REQUIRE(end);
    CHECK(end->done.attempt == AttemptId{});
    CHECK(end->done.begin_error->code == Errc::storage);
    CHECK(end->done.returned);
}

TEST_CASE("SubmitRun: only an accepted segment is followed by the next") {
    for (const OutcomeKind kind :
         {OutcomeKind::refused, OutcomeKind::unknown, OutcomeKind::not_sent}) {
        CAPTURE(static_cast<int>(kind));
        Bench bench({"one", "two"});
        bench.run.take(0);
        CHECK(bench.end(bench.begin(), 7, answer(kind)).done.returned);
        CHECK(bench.run.is_empty());
    }
}

TEST_CASE("SubmitRun: what has not begun is given back as not sent, also between two segments") {
    Bench bench({"one", "two"});
    SubmitRun& run = bench.run;
    run.take(0);
    CHECK(run.give_back().segment == 0);
    CHECK(run.is_empty());
    run.take(0);
    (void)bench.end(bench.begin(), 7, answer(OutcomeKind::accepted));
    run.stored();
    const ports::SegmentDone rest = run.give_back();
    CHECK(rest.segment == 1);
    CHECK(rest.outcome.kind == OutcomeKind::not_sent);
    CHECK(rest.attempt == AttemptId{});
    CHECK(rest.returned);
    CHECK(run.is_empty());
}

TEST_CASE("SubmitRun: the pace is kept after each PDU that has left, within its jitter") {
    Bench bench({"one", "two"}, {.pause = 1000ms, .jitter = 0.5});
    SubmitRun& run = bench.run;
    run.take(0);
    const auto rest = bench.end(bench.begin(), 7, answer(OutcomeKind::accepted)).done.rest;
    CHECK(rest >= 500ms);
    CHECK(rest <= 1500ms);
    CHECK(run.deadline() == never);
    run.stored();
    const SteadyTime until = start + 5s + rest;
    CHECK(run.deadline() == until);
    CHECK_FALSE(run.rest_is_over(until - 1ns, false));
    CHECK(run.rest_is_over(until, false));
    CHECK(run.deadline() == never);
    CHECK(bench.end(bench.begin(), 8, answer(OutcomeKind::not_sent, false)).done.rest == 0ns);
}

TEST_CASE("SubmitRun: a rest need not be waited for when the line is handed over") {
    Bench bench({"one", "two"}, {.pause = 1000ms});
    bench.run.take(0);
    (void)bench.end(bench.begin(), 7, answer(OutcomeKind::accepted));
    bench.run.stored();
    CHECK_FALSE(bench.run.rest_is_over(start, false));
    CHECK(bench.run.rest_is_over(start, true));
}

TEST_CASE("SubmitRun: a message is late only if its time is over before anything of it has left") {
    test::ManualClock clock;
    Bench bench({"one", "two"});
    bench.slots[0].message.created_at = clock.wall();
    bench.slots[0].message.expires_at = clock.wall() + 60s;
    SubmitRun& run = bench.run;
    run.take(0);
    CHECK_FALSE(run.is_late(clock));
    clock.advance(61s);
    CHECK(run.is_late(clock));
    (void)bench.end(bench.begin(), 7, answer(OutcomeKind::accepted));
    CHECK_FALSE(run.is_late(clock));
}

TEST_CASE("SubmitRun: the attempt given up last may be answered late, once") {
    const line::GivenUp earlier{.attempt = AttemptId{3}, .message = MessageId{40}};
    Bench bench({"pdu"});
    SubmitRun& run = bench.run;
    CHECK_FALSE(run.take_given_up());
    run.gave_up_before(earlier);
    CHECK(run.take_given_up()->attempt == AttemptId{3});
    CHECK_FALSE(run.take_given_up());
    run.take(0);
    (void)bench.end(bench.begin(), 7, answer(OutcomeKind::unknown));
    run.gave_up_before(earlier);
    const auto late = run.take_given_up();
    REQUIRE(late);
    CHECK(late->attempt == AttemptId{7});
    CHECK(late->message == MessageId{42});
    CHECK(late->begun_at == noon);
}

TEST_CASE("SubmitRun: a diagnosis is of the attempt that was refused last, and of no later one") {
    Bench bench({"pdu"});
    SubmitRun& run = bench.run;
    CHECK(run.diagnosed("of nothing") == AttemptId{});
    run.take(0);
    CHECK(bench.end(bench.begin(), 7, answer(OutcomeKind::refused)).diagnosis.empty());
    CHECK(run.diagnosed("no signal") == AttemptId{7});
    CHECK(run.diagnosed("no signal") == AttemptId{});

    run.take(0);
    const std::uint64_t number = bench.begin();
    run.submitted(answer(OutcomeKind::refused), start);
    CHECK(run.diagnosed("too early") == AttemptId{});
    run.attempted(number, AttemptId{8});
    CHECK(run.take_end(start)->diagnosis == "too early");
}

TEST_CASE("SubmitRun: a segment that has left continues in the next process") {
    Bench before({"one", "two"});
    before.run.take(0);
    const std::uint64_t number = before.begin();
    line::LineCarried nothing;
    before.run.carry(nothing);
    CHECK_FALSE(nothing.in_hand);
    before.run.attempted(number, AttemptId{7});
    line::LineCarried carried;
    before.run.carry(carried);
    REQUIRE(carried.in_hand);
    CHECK(carried.in_hand->content.message.id == MessageId{42});

    Bench after({"one", "two"});
    after.run.adopt(carried, 0);
    CHECK(after.run.has_left());
    after.run.submitted(answer(OutcomeKind::accepted), start + 9s);
    const auto end = after.run.take_end(start + 9s);
    REQUIRE(end);
    CHECK(end->done.attempt == AttemptId{7});
    CHECK(end->done.took == 9s);
    CHECK_FALSE(end->done.returned);
    CHECK(after.run.state() == RunState::storing);
}

TEST_CASE("SubmitRun: pace and the attempt given up go over without a message too") {
    Bench before({"one", "two"}, {.pause = 1000ms});
    before.run.take(0);
    (void)before.end(before.begin(), 7, answer(OutcomeKind::unknown));
    line::LineCarried carried;
    before.run.carry(carried);
    CHECK_FALSE(carried.in_hand);
    CHECK(carried.rests_until > start + 5s);

    Bench after({"one", "two"});
    after.run.adopt(carried, std::nullopt);
    CHECK(after.run.is_empty());
    CHECK(after.run.take_given_up()->attempt == AttemptId{7});
    line::LineCarried again;
    after.run.carry(again);
    CHECK(again.rests_until == carried.rests_until);
}

TEST_CASE(
    "SubmitRun: from no state but an empty one is a message taken, and only a due one begins") {
    std::size_t rows = 0;
    for (auto state = 0; state <= static_cast<int>(RunState::resting); ++state) {
        for (auto event = 0; event <= static_cast<int>(RunEvent::rested); ++event) {
            CAPTURE(state);
            CAPTURE(event);
            const auto from = static_cast<RunState>(state);
            const auto on = static_cast<RunEvent>(event);
            const auto to = next(line::run_rules, from, on);
            rows += to ? 1 : 0;
            CHECK((to && on == RunEvent::taken) ==
                  (from == RunState::empty && on == RunEvent::taken));
            CHECK((to && on == RunEvent::begun) ==
                  (from == RunState::due && on == RunEvent::begun));
            CHECK((to && on == RunEvent::given_back) ==
                  ((from == RunState::due || from == RunState::resting) &&
                   on == RunEvent::given_back));
        }
    }
    CHECK(rows == line::run_rules.size());  // no pair is in the table twice
    CHECK_FALSE(next(line::run_rules, RunState::storing, RunEvent::rested));
}
