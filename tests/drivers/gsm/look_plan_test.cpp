#include "drivers/gsm/look_plan.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

const SteadyTime start{1h};
const ModemSettings settings{.sweep = 5min};

}  // namespace

TEST_CASE(
    "LookPlan: SIM and reports are listed at the start and at each sweep, the modem's memory only "
    "on demand") {
    const Facts facts{.reports_stored = true};
    LookPlan plan(settings, facts);
    plan.begin(start);
    CHECK(plan.is_list_due(Memory::sm, start));
    CHECK(plan.is_list_due(Memory::sr, start));
    CHECK_FALSE(plan.is_list_due(Memory::me, start + 24h));
    plan.listed(Memory::sm, start);
    plan.listed(Memory::sr, start);
    CHECK(plan.next_turn(true) == start + settings.sweep);
    CHECK(plan.next_turn(false) == never);
    CHECK(plan.is_list_due(Memory::sm, start + settings.sweep));
}

TEST_CASE("LookPlan: hints of a lost URC bring one list soon, and the next not before look_pause") {
    const Facts facts{.confirms = true};
    LookPlan plan(settings, facts);
    plan.begin(start);
    plan.listed(Memory::sm, start);
    plan.look_soon(start + 1s);
    plan.look_soon(start + 1200ms);
    const SteadyTime soon = start + 1s + LookPlan::retry_pause;
    CHECK(plan.next_turn(true) == soon);
    CHECK(plan.is_ask_due(soon));  // it may have ceased to notify
    plan.listed(Memory::sm, soon);
    plan.asks(true, soon);
    plan.look_soon(soon + 1s);
    CHECK(plan.next_turn(true) == soon + LookPlan::look_pause);
}

TEST_CASE(
    "LookPlan: a list that fails is tried again after growing pauses, then at the next sweep") {
    const Facts facts;
    LookPlan plan(settings, facts);
    plan.begin(start);
    SteadyTime now = start;
    for (auto pause = LookPlan::retry_pause; pause <= 8s; pause *= 2) {
        plan.listed(Memory::sm, now);
        REQUIRE(plan.list_failed(Memory::sm, now));
        CHECK(plan.next_turn(true) == now + pause);
        now += pause;
    }
    plan.listed(Memory::sm, now);
    CHECK_FALSE(plan.list_failed(Memory::sm, now));
    CHECK(plan.next_turn(true) == now + settings.sweep);
    plan.list_succeeded(Memory::sm);
    REQUIRE(plan.list_failed(Memory::sm, now));
    CHECK(plan.next_turn(true) == now + LookPlan::retry_pause);
}

TEST_CASE("LookPlan: a memory that can't be selected is left alone, whatever is due there") {
    const Facts facts{.reports_stored = true};
    LookPlan plan(settings, facts);
    plan.begin(start);
    plan.listed(Memory::sm, start);
    CHECK(plan.select_failed(Memory::sr, start));
    CHECK(plan.is_blocked(Memory::sr, start + 499ms));
    CHECK(plan.next_turn(true) == start + LookPlan::retry_pause);
    plan.unblock(start + LookPlan::retry_pause);
    CHECK_FALSE(plan.is_blocked(Memory::sr, start + LookPlan::retry_pause));
    CHECK(plan.next_turn(true) == start);  // its list is still due
}

TEST_CASE(
    "LookPlan: a modem that waits for +CNMA is asked whether it still notifies, later after each "
    "notification") {
    const Facts facts{.confirms = true};
    LookPlan plan(settings, facts);
    plan.begin(start);
    CHECK_FALSE(plan.is_ask_due(start + 19s));
    plan.notified(start + 15s);
    CHECK_FALSE(plan.is_ask_due(start + 34s));
    CHECK(plan.is_ask_due(start + 35s));
    plan.asks(false, start + 35s);
    CHECK_FALSE(plan.is_ask_due(start + 5min));
    plan.ask_within(20s, start + 40s);
    CHECK(plan.is_ask_due(start + 1min));

    const Facts silent;
    LookPlan other(settings, silent);
    other.begin(start);
    other.notified(start);
    CHECK_FALSE(other.is_ask_due(start + 24h));
}

}  // namespace smsrack::gsm
