#include "src/dispatch/dispatcher.hpp"

#include "tests/support/error_table.hpp"
#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/manual_executor.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// A dispatcher without lines, whose first question for due messages was answered: none.
struct Bench {
    test::ManualClock clock;
    test::QuietLog log;
    test::HeldStore store;
    test::ManualExecutor pool;
    test::SeededRandom random{1};
    codec::SendCodec codec{{}, clock, random};
    queue::OutSlots slots{1};
    CondvarWaiter waiter;
    stats::Stats stats;
    dispatch::FlowMeter flow{clock};
    line::LineBoard board;
    dispatch::Dispatcher dispatcher{{},
                                    {store, pool, codec, slots, waiter, clock, random,
                                     test::error_table, stats, flow, board, log}};

    Bench() {
        (void)step();
        answer_due();
    }
    SteadyTime step() { return dispatcher.step(clock.steady()); }
    void answer_due() {
        test::answer(store.dues, Result<std::vector<OutMessage>>(std::vector<OutMessage>{}));
        (void)step();
    }
    /// How long its thread would sleep.
    std::chrono::nanoseconds sleeps() { return step() - clock.steady(); }
};

}  // namespace

TEST_CASE("Dispatcher: a message for a far century lets the thread sleep") {
    Bench bench;
    bench.dispatcher.due_hint(WallTime(std::chrono::sys_days(std::chrono::year(9999) / 12 / 31)));
    CHECK(bench.sleeps() > 1s);
}

TEST_CASE("Dispatcher: a due message that can't be taken now is no reason to stay awake") {
    SUBCASE("the service ends") {
        Bench bench;
        bench.dispatcher.stop_giving();
        bench.dispatcher.due_hint(bench.clock.wall() - 1s);
        CHECK(bench.sleeps() > 1s);
        CHECK(bench.store.dues.empty());
    }
    SUBCASE("no slot is free") {
        Bench bench;
        REQUIRE(bench.slots.take());
        bench.dispatcher.due_hint(bench.clock.wall() - 1s);
        CHECK(bench.sleeps() > 1s);
        CHECK(bench.store.dues.empty());
    }
}

TEST_CASE("Dispatcher: a due message is asked for at its time") {
    Bench bench;
    bench.dispatcher.due_hint(bench.clock.wall() + 2s);
    CHECK(bench.sleeps() <= 2s);
    CHECK(bench.store.dues.empty());
    bench.clock.advance(2s);
    (void)bench.step();
    CHECK(bench.store.dues.size() == 1);
}
