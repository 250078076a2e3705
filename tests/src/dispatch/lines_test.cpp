#include "src/dispatch/lines.hpp"

#include "tests/support/error_table.hpp"
#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using dispatch::Lines;
using ports::GateOrder;
using ports::LineGate;

namespace {

constexpr SteadyTime start = SteadyTime{} + 1h;
constexpr ModemId first{0};
constexpr ModemId second{1};
constexpr ModemId elsewhere{2};  // in another group
constexpr SimId sim_1{5};
constexpr SimId sim_2{6};
constexpr std::uint64_t ann = 1;
constexpr std::uint64_t bob = 2;

const SubmitOutcome barred{.kind = OutcomeKind::refused,
                           .cause = {.kind = CodeKind::cms, .code = 8}};

/// Two lines of group 0 and one of group 1; none is ready.
struct Rack {
    Lines lines{{.after = 2, .first = 60s, .most = 1h}, test::error_table};
    Rack() {
        lines.add_group();
        lines.add_group();
        lines.add(0, std::nullopt);
        lines.add(0, std::nullopt);
        lines.add(1, std::nullopt);
    }
    void all_ready() {
        CHECK_FALSE(lines.become_ready(first, sim_1, start));
        CHECK_FALSE(lines.become_ready(second, sim_2, start));
    }
    std::vector<ModemId> free(std::uint16_t group = 0) const {
        return {lines.free(group).begin(), lines.free(group).end()};
    }
};

line::SimQuota one_recipient(const Clock& clock) {
    line::SimQuotaSettings settings;
    settings.limits.by_window.at(static_cast<std::size_t>(QuotaWindow::recipients)) = 1;
    return {settings, clock};
}

}  // namespace

TEST_CASE("Lines: a line is free while it is ready and holds nothing, the longest idle one first") {
    Rack rack;
    CHECK(rack.free().empty());
    rack.all_ready();
    CHECK(rack.free() == std::vector{first, second});
    CHECK(rack.free(1).empty());
    rack.lines.give(first);
    CHECK(rack.free() == std::vector{second});
    rack.lines.take_back(first);
    CHECK(rack.free() == std::vector{second, first});
    (void)rack.lines.become_ready(second, sim_2, start);  // said twice
    CHECK(rack.free() == std::vector{second, first});
    CHECK(rack.lines.ready(0) == std::vector{first, second});
}

TEST_CASE("Lines: a line that is lost ends what it holds, and is free when it is ready again") {
    Rack rack;
    rack.all_ready();
    rack.lines.give(first);
    CHECK_FALSE(rack.lines.lose(first));
    rack.lines.take_back(first);
    CHECK(rack.free() == std::vector{second});
    CHECK_FALSE(rack.lines.has(sim_1));
    (void)rack.lines.become_ready(first, sim_1, start);
    CHECK(rack.free() == std::vector{second, first});
    CHECK(rack.lines.has(sim_1));
}

TEST_CASE("Lines: for some minutes a line that was not ready yet may bring any SIM") {
    Rack rack;
    CHECK_FALSE(rack.lines.may_bring_any(start));  // the run has not begun
    rack.lines.begin(start);
    rack.lines.begin(start + 4min);
    rack.all_ready();
    CHECK(rack.lines.may_bring_any(start + 299s));
    CHECK_FALSE(rack.lines.may_bring_any(start + 5min));
    (void)rack.lines.lose(elsewhere);
    CHECK(rack.lines.may_bring_any(start));
    (void)rack.lines.become_ready(elsewhere, SimId{7}, start);
    CHECK_FALSE(rack.lines.may_bring_any(start));
    (void)rack.lines.lose(elsewhere);
    CHECK_FALSE(rack.lines.may_bring_any(start));
}

TEST_CASE("Lines: a line that rests takes nothing, and the longer rest counts") {
    Rack rack;
    rack.all_ready();
    CHECK(rack.lines[first].may_take(start));
    CHECK(rack.lines.deadline(start) == never);
    rack.lines.rest(first, start + 10s);
    rack.lines.rest(first, start + 3s);
    CHECK(rack.lines.deadline(start) == start + 10s);
    CHECK_FALSE(rack.lines[first].may_take(start + 9s));
    CHECK(rack.lines[first].may_take(start + 10s));
    CHECK(rack.lines.deadline(start + 10s) == never);
}

TEST_CASE("Lines: a SIM that carrier or network refuse in a row cools, also in another slot") {
    Rack rack;
    rack.all_ready();
    CHECK_FALSE(rack.lines.ended(first, barred, start));
    CHECK(rack.lines.ended(first, barred, start) == 60s);
    CHECK_FALSE(rack.lines[first].may_take(start + 1min));  // until it is taken out
    CHECK(rack.lines.deadline(start) == start + 60s);
    CHECK(rack.lines.take_cooled(start + 59s).empty());
    CHECK(rack.lines.lose(first));
    CHECK(rack.lines.become_ready(elsewhere, sim_1, start + 1s) == start + 60s);
    CHECK_FALSE(rack.lines[elsewhere].may_take(start + 1s));
    CHECK(rack.lines.take_cooled(start + 60s) == std::vector{elsewhere});
    CHECK(rack.lines[elsewhere].may_take(start + 60s));
}

TEST_CASE("Lines: the gate follows its table, and a shut line is reported once it holds nothing") {
    Rack rack;
    rack.all_ready();
    const auto emptied = [&] {
        return rack.lines.take_emptied([&](ModemId id) { return rack.lines[id].holds; });
    };
    CHECK_FALSE(rack.lines.order(first, GateOrder::unpark));  // it is open
    rack.lines.give(first);
    const auto drained = rack.lines.order(first, GateOrder::drain);
    REQUIRE(drained);
    CHECK(drained->from == LineGate::open);
    CHECK(drained->to == LineGate::blocked);
    CHECK_FALSE(rack.lines[first].works());
    CHECK(emptied().empty());
    rack.lines.take_back(first);
    CHECK(emptied() == std::vector{first});
    CHECK(emptied().empty());
    REQUIRE(rack.lines.order(second, GateOrder::park));
    REQUIRE(rack.lines.order(second, GateOrder::resume));
    CHECK(emptied().empty());  // open again before that
    CHECK(rack.lines[second].works());
    const auto again = rack.lines.order(first, GateOrder::drain);
    REQUIRE(again);
    CHECK(again->from == LineGate::blocked);
    CHECK(emptied().empty());  // nothing changed
}

TEST_CASE("Lines: who else can send to a recipient") {
    test::ManualClock clock;
    line::SimQuota quota = one_recipient(clock);
    quota.known({});
    (void)quota.count(clock.wall(), ann);
    Rack rack;
    rack.lines.set_quota(second, &quota);
    const auto can = [&](std::uint64_t to, std::optional<SimId> sim = std::nullopt) {
        return rack.lines.other_can_send(first, sim, {.recipient = to});
    };
    CHECK_FALSE(can(ann));  // not ready
    rack.all_ready();
    (void)rack.lines.become_ready(elsewhere, SimId{7}, start);
    CHECK(can(ann));
    CHECK_FALSE(can(bob));
    CHECK(can(ann, sim_2));
    CHECK_FALSE(can(ann, sim_1));     // that is the line itself
    CHECK_FALSE(can(ann, SimId{7}));  // that is another group's
    rack.lines.give(second);
    CHECK(can(ann));  // busy, but will send
    REQUIRE(rack.lines.order(second, GateOrder::drain));
    CHECK_FALSE(can(ann));
    REQUIRE(rack.lines.order(second, GateOrder::resume));
    (void)rack.lines.ended(second, barred, start);
    (void)rack.lines.ended(second, barred, start);
    CHECK_FALSE(can(ann));  // it cools
}

TEST_CASE("Lines: the line with a SIM may take a message, of whichever group it is") {
    Rack rack;
    CHECK_FALSE(rack.lines.idle_with(sim_1, start));
    (void)rack.lines.become_ready(elsewhere, sim_1, start);
    (void)rack.lines.become_ready(first, sim_2, start);
    CHECK(rack.lines.idle_with(sim_1, start) == elsewhere);
    rack.lines.give(elsewhere);
    CHECK_FALSE(rack.lines.idle_with(sim_1, start));
    rack.lines.take_back(elsewhere);
    rack.lines.rest(elsewhere, start + 1s);
    CHECK_FALSE(rack.lines.idle_with(sim_1, start));
    CHECK(rack.lines.idle_with(sim_1, start + 1s) == elsewhere);
}

TEST_CASE("Lines: no SIM has a recipient left only where lines work, and each says so") {
    test::ManualClock clock;
    line::SimQuota quota = one_recipient(clock);
    quota.known({});
    (void)quota.count(clock.wall(), ann);
    Rack rack;
    rack.lines.set_quota(first, &quota);
    CHECK_FALSE(rack.lines.none_takes(0, bob));  // no line is ready: wait
    (void)rack.lines.become_ready(first, sim_1, start);
    CHECK(rack.lines.none_takes(0, bob));
    CHECK_FALSE(rack.lines.none_takes(0, ann));
    (void)rack.lines.become_ready(second, sim_2, start);
    CHECK_FALSE(rack.lines.none_takes(0, bob));  // that one has no quota
    REQUIRE(rack.lines.order(second, GateOrder::park));
    CHECK(rack.lines.none_takes(0, bob));
}

TEST_CASE(
    "Lines: a message in flight is resumed, and what an earlier run left open is asked for once") {
    Rack rack;
    rack.lines.adopt(first, sim_1);
    (void)rack.lines.become_ready(first, sim_1, start);
    CHECK(rack.free().empty());
    rack.lines.take_back(first);
    CHECK(rack.free() == std::vector{first});
    Lines lines({}, test::error_table);
    lines.add_group();
    lines.add(0, ports::UncertainAttempt{.attempt = AttemptId{3}});
    const auto left = lines.take_left_open(first);
    REQUIRE(left);
    CHECK(left->attempt == AttemptId{3});
    CHECK_FALSE(lines.take_left_open(first));
}

TEST_CASE("Lines: over an upgrade a SIM continues to cool") {
    Rack before;
    before.all_ready();
    (void)before.lines.ended(first, barred, start);
    (void)before.lines.ended(first, barred, start);
    Rack after;
    after.lines.adopt(before.lines.cooling());
    CHECK(after.lines.become_ready(first, sim_1, start) == start + 60s);
}
