// Seconds in which a submit would have been accepted.
#include "src/dispatch/scale/availability.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::dispatch;
using namespace std::chrono_literals;
using ports::Condition;
using ports::ConditionKind;
using ports::Stops;
using stats::Counter;

namespace {

constexpr std::int64_t capacity = 100;

ports::GroupLoad group(const char* name, bool refuses_top, bool refuses_bottom = false) {
    ports::GroupLoad load{.name = name};
    load.levels.front().refuses = refuses_top || refuses_bottom;
    load.levels.back().refuses = refuses_top;
    return load;
}

ports::RackStatus rack(std::vector<ports::GroupLoad> groups, std::int64_t waiting = 0) {
    ports::RackStatus status;
    status.groups = std::move(groups);
    status.levels.at(2).depth = waiting / 2;
    status.levels.at(6).depth = waiting - waiting / 2;
    return status;
}

ports::RackStatus with(ports::RackStatus status, ConditionKind kind, Stops stops) {
    status.conditions.push_back({.kind = kind, .stops = stops});
    return status;
}

constexpr std::array all_doors{Counter::door_accepting,  Counter::door_some_groups,
                               Counter::door_overloaded, Counter::door_full,
                               Counter::door_storage,    Counter::door_no_answer};

std::uint64_t sum(const stats::Stats& stats) {
    std::uint64_t all = 0;
    for (const Counter counter : all_doors) {
        all += stats.value(counter);
    }
    return all;
}

}  // namespace

TEST_CASE("availability: what a submit of the top level would be answered") {
    const ports::RackStatus fine = rack({group("a", false), group("b", false)});
    struct Row {
        const char* what;
        ports::RackStatus status;
        Door door;
    };
    for (const Row& row : {
             Row{"all is well", fine, Door::accepting},
             Row{"no modem is configured: it waits", rack({}), Door::accepting},
             Row{"a paused rack accepts", with(fine, ConditionKind::rack_paused, Stops::sending),
                 Door::accepting},
             Row{"so does a disk that is nearly full",
                 with(fine, ConditionKind::disk_low, Stops::nothing), Door::accepting},
             Row{"a lower level is refused", rack({group("a", false, true)}), Door::accepting},
             Row{"one of two groups refuses", rack({group("a", true), group("b", false)}),
                 Door::some_groups},
             Row{"every group refuses", rack({group("a", true), group("b", true)}),
                 Door::overloaded},
             Row{"one place is free", rack({}, capacity - 1), Door::accepting},
             Row{"the queue is full", rack({}, capacity), Door::full},
             Row{"the disk is full", with(fine, ConditionKind::disk_full, Stops::all),
                 Door::storage},
             Row{"the database is locked, whatever else",
                 with(rack({group("a", true)}, capacity), ConditionKind::database_locked,
                      Stops::all),
                 Door::storage},
         }) {
        CAPTURE(row.what);
        CHECK(door_of(row.status, capacity) == row.door);
    }
}

TEST_CASE("availability: each second is counted once, for what was seen") {
    test::ManualClock clock;
    stats::Stats stats;
    Availability availability(capacity, stats, clock.steady());
    const ports::RackStatus fine = rack({group("a", false)});
    const ports::RackStatus locked = with(fine, ConditionKind::database_locked, Stops::all);
    const SteadyTime start = clock.steady();

    for (int i = 0; i < 30; ++i) {  // looks come a little late, as timers do
        clock.advance(2'013ms);
        availability.look(fine, clock.steady());
    }
    CHECK(stats.value(Counter::door_accepting) == 60);
    CHECK(stats.value(Counter::door_storage) == 0);

    for (int i = 0; i < 5; ++i) {
        clock.advance(2s);
        availability.look(locked, clock.steady());
    }
    CHECK(stats.value(Counter::door_storage) == 10);

    clock.advance(2s);
    availability.look(fine, clock.steady());
    CHECK(stats.value(Counter::door_accepting) == 62);
    CHECK(stats.value(Counter::door_storage) == 10);
    CHECK(sum(stats) ==
          static_cast<std::uint64_t>(
              std::chrono::floor<std::chrono::seconds>(clock.steady() - start).count()));
}

TEST_CASE("availability: looks of less than a second lose nothing") {
    test::ManualClock clock;
    stats::Stats stats;
    Availability availability(capacity, stats, clock.steady());
    for (int i = 0; i < 100; ++i) {
        clock.advance(300ms);
        availability.look(rack({}), clock.steady());
    }
    CHECK(stats.value(Counter::door_accepting) == 30);
}

TEST_CASE("availability: while the loop is late no submit is answered") {
    test::ManualClock clock;
    stats::Stats stats;
    Availability availability(capacity, stats, clock.steady());
    clock.advance(Availability::answers_within);
    availability.look(rack({}), clock.steady());
    clock.advance(Availability::answers_within + 1s);
    availability.look(rack({}), clock.steady());
    CHECK(stats.value(Counter::door_accepting) == 10);
    CHECK(stats.value(Counter::door_no_answer) == 11);
}
