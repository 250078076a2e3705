#include "src/overload/load_rule.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace smsrack::overload;
using namespace std::chrono_literals;

namespace {

/// Eight lines of half a second: 16 segments/s; T_max 4 s; nothing there.
Standing standing() {
    return {.t_max = 4s, .lines = 8, .service = {.mean = 500ms, .samples = 100}, .doubt_factor = 0};
}

struct Row {
    const char* so;
    Standing standing;
    Why why;
};

Standing with(auto change) {
    Standing s = standing();
    change(s);
    return s;
}

}  // namespace

TEST_CASE("judge: accept while max(T_recent, work ahead / rate) is at most T_max") {
    for (const Row& row : {
             Row{"an empty rack", standing(), Why::accepted},
             Row{"63 ahead and itself take 4 s", with([](auto& s) { s.ahead = 63; }),
                 Why::accepted},
             Row{"64 ahead take longer", with([](auto& s) { s.ahead = 64; }), Why::work_ahead},
             Row{"a long message counts all its segments",
                 with([](auto& s) { s.ahead = 60, s.own = 5; }), Why::work_ahead},
             Row{"clients that got a time have their places",
                 with([](auto& s) { s.ahead = 40, s.held = 24; }), Why::work_ahead},
             Row{"what is accepted above takes its share of the rate",
                 with([](auto& s) { s.ahead = 32, s.above = 8; }), Why::work_ahead},
             Row{"a slow level", with([](auto& s) { s.t_recent = 4001ms; }), Why::slow},
             Row{"just in time", with([](auto& s) { s.t_recent = 4s; }), Why::accepted},
             Row{"slow, and too much work", with([](auto& s) { s.t_recent = 5s, s.ahead = 99; }),
                 Why::work_ahead},
             Row{"fewer lines", with([](auto& s) { s.ahead = 32, s.lines = 4; }), Why::work_ahead},
             Row{"no line for less than T_max", with([](auto& s) { s.no_line = 4s; }),
                 Why::accepted},
             Row{"no line for longer", with([](auto& s) { s.no_line = 5s; }), Why::no_line},
             Row{"no line is configured, no message waits", with([](auto& s) { s.lines = 0; }),
                 Why::accepted},
             Row{"no line is configured, a message waits",
                 with([](auto& s) { s.lines = 0, s.ahead = 1; }), Why::work_ahead},
             Row{"what varies is taken for longer than its mean", with([](auto& s) {
                     s.ahead = 63, s.doubt_factor = three_deviations, s.service.variation = 1;
                 }),
                 Why::work_ahead},
             Row{"half of it is short enough all the same", with([](auto& s) {
                     s.ahead = 32, s.doubt_factor = three_deviations, s.service.variation = 1;
                 }),
                 Why::accepted},
             Row{"what comes above may be more than recently", with([](auto& s) {
                     s.ahead = 43, s.above = 4, s.doubt_factor = three_deviations;
                 }),
                 Why::work_ahead},
             Row{"the same, where the rest of the lines is not there at all", with([](auto& s) {
                     s.ahead = 43, s.lines = 6, s.doubt_factor = three_deviations;
                 }),
                 Why::accepted},
             Row{"nothing is measured: 8 lines are credited with 20 segments a minute each",
                 with([](auto& s) { s.service = {}, s.ahead = 9; }), Why::accepted},
             Row{"nothing is measured, and they would need longer",
                 with([](auto& s) { s.service = {}, s.ahead = 10; }), Why::work_ahead},
         }) {
        CAPTURE(row.so);
        CHECK(judge(row.standing).why == row.why);
    }
}

TEST_CASE("judge: the work ahead is back under T_max when so much of it is sent") {
    const auto judgement = judge(with([](auto& s) { s.ahead = 95; }));
    CHECK(judgement.t_ahead.count() == doctest::Approx(6));
    CHECK(judgement.back.count() == doctest::Approx(2));
}

TEST_CASE("judge: more work ahead never makes a refusal an acceptance, nor a shorter wait") {
    Seconds last{0};
    bool refused = false;
    for (int ahead = 0; ahead < 300; ++ahead) {
        const auto judgement =
            judge(with([&](auto& s) { s.ahead = ahead, s.doubt_factor = three_deviations; }));
        CHECK(judgement.t_ahead >= last);
        CHECK_FALSE((refused && judgement.accept()));
        last = judgement.t_ahead;
        refused = refused || !judgement.accept();
    }
    CHECK(refused);
}

TEST_CASE("judge: lines that come later count from when they do") {
    constexpr std::array<Seconds, 2> later{1s, 3s};  // two and then four a second more
    const Standing two = with([&](auto& s) { s.lines = 1, s.later = later; });
    const auto t_ahead = [&](double ahead) {
        Standing standing = two;
        standing.ahead = ahead;
        return judge(standing).t_ahead.count();
    };
    CHECK(t_ahead(1) == doctest::Approx(1));   // 2 a second
    CHECK(t_ahead(5) == doctest::Approx(2));   // then 4
    CHECK(t_ahead(9) == doctest::Approx(3));   //
    CHECK(t_ahead(15) == doctest::Approx(4));  // then 6
    CHECK(sent_within(two, 500ms) == doctest::Approx(1));
    CHECK(sent_within(two, 2s) == doctest::Approx(6));
    CHECK(sent_within(two, 4s) == doctest::Approx(16));
    CHECK(rate_left(two) == doctest::Approx(6));
    CHECK(judge(with([&](auto& s) {
              s.lines = 0, s.later = later, s.ahead = 1;
          })).t_ahead.count() == doctest::Approx(2));
}

TEST_CASE("judge: neither no line nor a slow level refuses where parked lines can be let in") {
    constexpr std::array<Seconds, 1> later{200ms};
    CHECK(judge(with([&](auto& s) {
              s.lines = 0, s.later = later, s.no_line = 60s, s.ahead = 1;
          })).accept());
    CHECK(judge(with([&](auto& s) {
              s.lines = 7, s.later = later, s.parked = true, s.t_recent = 5s;
          })).accept());
    CHECK(judge(with([&](auto& s) { s.lines = 7, s.later = later, s.t_recent = 5s; })).why ==
          Why::slow);
    CHECK(judge(with([&](auto& s) {
              s.lines = 7, s.later = later, s.parked = true, s.ahead = 64;
          })).why == Why::work_ahead);
}

TEST_CASE("lines_needed: the fewest that bring the work ahead under half of the promise") {
    constexpr std::array<Seconds, 4> later{0ms, 0ms, 0ms, 0ms};
    struct Need {
        const char* what;
        double ahead;
        std::size_t able;
        std::size_t lines;
    };
    for (const Need& need : {
             Need{"no work needs no line", 0, 4, 0},
             Need{"four segments are half of the promise for one line", 3, 4, 1},
             Need{"one more needs two", 4, 4, 2},
             Need{"all that are open", 15, 4, 4},
             Need{"one that is parked too", 16, 4, 5},
             Need{"all", 31, 4, 8},
             Need{"all, where even they are too few", 99, 4, 8},
             Need{"one, where none is open", 1, 0, 1},
         }) {
        CAPTURE(need.what);
        CHECK(lines_needed(with([&](auto& s) { s.ahead = need.ahead; }), need.able, later) ==
              need.lines);
    }
    CHECK(lines_needed(with([](auto& s) { s.t_recent = 5s; }), 4, later) == 8);
    // One that comes after half of the promise is of no use, and so is wanted with all others.
    constexpr std::array<Seconds, 2> late{0ms, 3s};
    CHECK(lines_needed(with([](auto& s) { s.ahead = 19; }), 4, late) == 5);
    CHECK(lines_needed(with([](auto& s) { s.ahead = 20; }), 4, late) == 6);
}

TEST_CASE("expected: the own service, and the wait for a line where all have work") {
    CHECK(expected(standing()).count() == doctest::Approx(0.5));
    CHECK(expected(with([](auto& s) { s.ahead = 7; })).count() == doctest::Approx(0.5));
    CHECK(expected(with([](auto& s) { s.ahead = 8; })).count() == doctest::Approx(0.5 + 1.0 / 16));
    CHECK(expected(with([](auto& s) { s.ahead = 23, s.own = 3; })).count() ==
          doctest::Approx(1.5 + 1));
    CHECK(expected(with([](auto& s) { s.ahead = 23, s.above = 8; })).count() ==
          doctest::Approx(0.5 + 2));
}
