#include "drivers/gsm/inbox/look_plan.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

const SteadyTime begun_at{1h};
const ModemSettings settings{.sweep = 5min};

}  // namespace

TEST_CASE(
    "LookPlan: SIM and reports are listed at the start and at each sweep, the modem's memory only "
    "on demand") {
    const Facts facts{.reports_stored = true};
    LookPlan plan(settings, facts);
    plan.begin(begun_at);
    CHECK(plan.is_list_due(Memory::sm, begun_at));
    CHECK(plan.is_list_due(Memory::sr, begun_at));
    CHECK_FALSE(plan.is_list_due(Memory::me, begun_at + 24h));
    plan.listed(Memory::sm, begun_at);
    plan.listed(Memory::sr, begun_at);
    CHECK(plan.next_turn(true) == begun_at + settings.sweep);
    CHECK(plan.next_turn(false) == never);
    CHECK(plan.is_list_due(Memory::sm, begun_at + settings.sweep));
}

TEST_CASE("LookPlan: hints of a lost URC bring one list soon, and the next not before look_pause") {
    const Facts facts{.confirms = true};
    LookPlan plan(settings, facts);
    plan.begin(begun_at);
    plan.listed(Memory::sm, begun_at);
    plan.look_soon(begun_at + 1s);
    plan.look_soon(begun_at + 1200ms);
    const SteadyTime soon = begun_at + 1s + LookPlan::retry_pause;
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
    plan.begin(begun_at);
    SteadyTime now = begun_at;
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
    plan.begin(begun_at);
    plan.listed(Memory::sm, begun_at);
    CHECK(plan.select_failed(Memory::sr, begun_at));
    CHECK(plan.is_blocked(Memory::sr, begun_at + 499ms));
    CHECK(plan.next_turn(true) == begun_at + LookPlan::retry_pause);
    plan.unblock(begun_at + LookPlan::retry_pause);
    CHECK_FALSE(plan.is_blocked(Memory::sr, begun_at + LookPlan::retry_pause));
    CHECK(plan.next_turn(true) == begun_at);  // its list is still due
}

TEST_CASE(
    "LookPlan: a modem that waits for +CNMA is asked whether it still notifies, later after each "
    "notification") {
    const Facts facts{.confirms = true};
    LookPlan plan(settings, facts);
    plan.begin(begun_at);
    CHECK_FALSE(plan.is_ask_due(begun_at + 19s));
    plan.notified(begun_at + 15s);
    CHECK_FALSE(plan.is_ask_due(begun_at + 34s));
    CHECK(plan.is_ask_due(begun_at + 35s));
    plan.asks(false, begun_at + 35s);
    CHECK_FALSE(plan.is_ask_due(begun_at + 5min));
    plan.ask_within(20s, begun_at + 40s);
    CHECK(plan.is_ask_due(begun_at + 1min));

    const Facts silent;
    LookPlan other(settings, silent);
    other.begin(begun_at);
    other.notified(begun_at);
    CHECK_FALSE(other.is_ask_due(begun_at + 24h));
}

}  // namespace smsrack::gsm
