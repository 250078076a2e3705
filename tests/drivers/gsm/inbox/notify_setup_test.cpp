#include "drivers/gsm/inbox/notify_setup.hpp"

#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"

#include <doctest/doctest.h>

#include <string>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

const SteadyTime set_up_at{1h};
constexpr at::FinalResult answered_ok{at::FinalKind::ok};
constexpr at::FinalResult answered_error{at::FinalKind::error};
constexpr at::FinalResult not_answered{at::FinalKind::timed_out};

struct NotifyBench {
    explicit NotifyBench(const Facts& modem = {.reports_stored = true, .confirms = true})
        : facts(modem) {
        plan.begin(set_up_at);
        notify.begin(set_up_at);
    }

    /// What it asks now; empty: nothing. `may_refuse` as next() has it.
    std::string asks(SteadyTime now = set_up_at, bool may_refuse = true) {
        const auto command = notify.next(now, may_refuse);
        return command ? std::string(command->text) : "";
    }
    /// The same, answered.
    std::string asks_and_hears(at::FinalResult result, SteadyTime now = set_up_at) {
        std::string text = asks(now);
        notify.on_final(result, now);
        return text;
    }

    Facts facts;
    ModemSettings settings;
    test::ManualClock clock;
    test::QuietLog log;
    FlightRecorder recorder{clock, false};
    Reporter reporter{"m0", log, recorder};
    LookPlan plan{settings, facts};
    NotifySetup notify{settings, facts, plan, reporter};
};

}  // namespace

TEST_CASE("NotifySetup: after the set-up what came before it is refused, then the modem may push") {
    NotifyBench bench;
    CHECK(bench.asks(set_up_at, false) == "AT+CNMI=2,2,0,2,0");  // something waits to be confirmed
    bench.notify.on_final(answered_ok, set_up_at);
    CHECK(bench.asks_and_hears(answered_ok) == "AT+CNMA=2");
    CHECK(bench.asks() == "");

    NotifyBench stores({.reports_stored = true});
    CHECK(stores.asks() == "");  // without +CNMA neither is known
}

TEST_CASE("NotifySetup: a refusal that is not answered is not tried again, in no later set-up") {
    NotifyBench bench;
    CHECK(bench.asks_and_hears(not_answered) == "AT+CNMA=2");
    bench.notify.begin(set_up_at);
    bench.notify.refuse();
    CHECK(bench.asks_and_hears(answered_ok) == "AT+CNMI=2,2,0,2,0");
    CHECK(bench.asks() == "");
}

TEST_CASE("NotifySetup: what was lost sets service and notification again, in this order") {
    NotifyBench bench({.confirms = true});
    bench.asks_and_hears(answered_ok);
    bench.asks_and_hears(answered_ok);
    CHECK_FALSE(bench.notify.is_due_again());
    bench.notify.set_again();
    CHECK(bench.asks_and_hears(answered_ok) == "AT+CSMS=1");
    CHECK(bench.notify.is_due_again());
    CHECK(bench.asks_and_hears(answered_ok) == "AT+CNMI=2,2,0,1,0");
    CHECK_FALSE(bench.notify.is_due_again());
}

TEST_CASE("NotifySetup: a modem that refuses to push stores from then on") {
    NotifyBench bench;
    bench.asks_and_hears(answered_ok);
    CHECK(bench.asks_and_hears(answered_error) == "AT+CNMI=2,2,0,2,0");
    CHECK(bench.asks(set_up_at + 10s) == "");
    bench.notify.set_again();
    CHECK(bench.asks_and_hears(answered_ok, set_up_at + 10s) == "AT+CSMS=1");
    CHECK(bench.asks_and_hears(answered_ok, set_up_at + 10s) == "AT+CNMI=2,1,0,2,0");
}

TEST_CASE(
    "NotifySetup: asked now and then, a modem that no longer notifies is set again and looked "
    "through") {
    struct Case {
        const char* what;
        const char* answer;
        bool lost;
    };
    for (const Case& c : {
             Case{"as it was set", "+CNMI: 2,2,0,2,0", false},
             Case{"messages are not told", "+CNMI: 2,0,0,2,0", true},
             Case{"reports are not told", "+CNMI: 2,2,0,0,0", true},
         }) {
        CAPTURE(c.what);
        NotifyBench bench;
        bench.asks_and_hears(answered_ok);
        bench.asks_and_hears(answered_ok);
        bench.plan.listed(Memory::sm, set_up_at);
        const SteadyTime now = set_up_at + LookPlan::notify_asked;
        CHECK(bench.asks(now) == "AT+CNMI?");
        bench.notify.on_line(c.answer, now);
        bench.notify.on_final(answered_ok, now);
        CHECK(bench.notify.is_due_again() == c.lost);
        CHECK(bench.plan.is_list_due(Memory::sm, now) == c.lost);
    }
}

TEST_CASE(
    "NotifySetup: while held it says one thing, that the modem must store, and only where it may "
    "push") {
    NotifyBench bench;
    bench.asks_and_hears(answered_ok);
    bench.asks_and_hears(answered_ok);
    bench.notify.set_again();
    bench.notify.hold(true);
    CHECK(bench.notify.owes_storing());
    CHECK(bench.asks_and_hears(answered_ok) == "AT+CNMI=2,1,0,2,0");
    CHECK_FALSE(bench.notify.owes_storing());
    CHECK(bench.asks() == "");
    CHECK(bench.notify.next_turn() == never);
    bench.notify.hold(false);
    CHECK(bench.asks() == "AT+CSMS=1");

    NotifyBench stores({.reports_stored = true});
    stores.notify.hold(true);
    CHECK_FALSE(stores.notify.owes_storing());
    CHECK(stores.asks() == "");
}

}  // namespace smsrack::gsm
