#include "firmware-host/loop_timer.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// A timer on a loop that the test runs. The clock does not move, so each deadline stays as far away as it was set.
struct TimerBench {
    void run_for(std::chrono::milliseconds time) {
        const auto end = loop.after(time, [this] { loop.stop(); });
        loop.run();
    }
    /// Runs until this number of steps was taken, and a while longer, in which no other may come.
    void run_to_step(int wanted) {
        last = wanted;
        run_for(20s);
        run_for(20ms);
    }
    SteadyTime step() {
        if (++steps == last) {
            loop.stop();
        }
        return steps < last ? next : never;
    }

    test::ManualClock clock;
    const SteadyTime now = clock.steady();
    net::Loop loop;
    int steps = 0;
    int last = 0;
    SteadyTime next = never;  // what each step but the last gives
    host::LoopTimer timer{loop, clock, [this] { return step(); }};
};

}  // namespace

TEST_CASE("LoopTimer: the earliest deadline counts, whenever it is named") {
    TimerBench bench;
    SUBCASE("first") {
        bench.timer.by(bench.now + 2ms);
        bench.timer.by(bench.now + 1h);
    }
    SUBCASE("last") {
        bench.timer.by(bench.now + 1h);
        bench.timer.by(bench.now + 2ms);
    }
    SUBCASE("it is past") {
        bench.timer.by(bench.now - 1h);
    }
    bench.timer.by(never);
    bench.run_to_step(1);
    CHECK(bench.steps == 1);
}

TEST_CASE("LoopTimer: each step names the next deadline, until there is none") {
    TimerBench bench;
    bench.next = bench.now + 1ms;
    bench.timer.by(bench.now);
    bench.run_to_step(3);
    CHECK(bench.steps == 3);
}

TEST_CASE("LoopTimer: no step comes after stop(), or before a deadline is named") {
    TimerBench bench;
    bench.run_for(20ms);
    bench.timer.by(bench.now + 1ms);
    bench.timer.stop();
    bench.run_for(20ms);
    CHECK(bench.steps == 0);
    bench.timer.by(bench.now + 1ms);
    bench.run_to_step(1);
    CHECK(bench.steps == 1);
}
