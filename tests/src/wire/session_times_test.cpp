#include "src/wire/session_times.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::wire;
using namespace std::chrono_literals;

namespace {

constexpr SteadyTime begin_of_times = SteadyTime{} + 1h;

constexpr HttpLimits times_limits{.head_time = 10s,
                                  .body_time = 30s,
                                  .body_grace = 20s,
                                  .body_rate_min = 1000,
                                  .idle_time = 300s,
                                  .write_time = 40s,
                                  .room_time = 15s,
                                  .discard_time = 5s};

/// All ends of a session, as time from the begin.
struct Ends {
    explicit Ends(const SessionTimes& times)
        : idle(times.idle_end() - begin_of_times),
          head(times.head_end() - begin_of_times),
          pause(times.pause_end() - begin_of_times),
          body(times.body_end(0) - begin_of_times),
          room(times.room_end() - begin_of_times),
          write(times.write_end() - begin_of_times),
          filler(times.filler_due(7s) - begin_of_times),
          discard(times.discard_end() - begin_of_times) {}
    SteadyTime::duration idle, head, pause, body, room, write, filler, discard;
};

}  // namespace

TEST_CASE("SessionTimes: each event moves the ends that depend on it, and no other") {
    using Event = void (SessionTimes::*)(SteadyTime);
    struct Row {
        const char* what;
        Event event;
        bool input, body, room, output, discard;  // moved by the event
    };
    for (const Row& row : {
             Row{"input", &SessionTimes::input, true, false, false, false, false},
             Row{"a body begins", &SessionTimes::body_began, true, true, false, false, false},
             Row{"a whole request", &SessionTimes::request_whole, true, false, true, false, false},
             Row{"output", &SessionTimes::output, false, false, false, true, false},
             Row{"taken", &SessionTimes::output_taken, false, false, true, true, false},
             Row{"over", &SessionTimes::over, false, false, false, false, true},
         }) {
        CAPTURE(row.what);
        SessionTimes times(times_limits, begin_of_times);
        (times.*row.event)(begin_of_times + 3s);
        const Ends ends(times);
        const auto moved = [](bool by_event) { return by_event ? 3s : 0s; };
        CHECK(ends.idle == 300s + moved(row.input));
        CHECK(ends.head == 10s + moved(row.input));
        CHECK(ends.pause == 30s + moved(row.input));
        CHECK(ends.body == 20s + moved(row.body));
        CHECK(ends.room == 15s + moved(row.room));
        CHECK(ends.write == 40s + moved(row.output));
        CHECK(ends.filler == 7s + moved(row.output));
        CHECK(ends.discard == 5s + moved(row.discard));
    }
}

TEST_CASE("SessionTimes: each octet of a body earns it time, up to the longest pause") {
    SessionTimes times(times_limits, begin_of_times);
    CHECK(times.body_end(999) == begin_of_times + 20s + 999ms);
    CHECK(times.body_end(5000) == begin_of_times + 25s);
    CHECK(times.body_end(10'000) == begin_of_times + 30s);
    CHECK(times.body_end(1'000'000) == begin_of_times + 30s);
    times.input(begin_of_times + 29s);
    CHECK(times.body_end(30'000) == begin_of_times + 50s);
    CHECK(times.body_end(1'000'000) == begin_of_times + 59s);
}
