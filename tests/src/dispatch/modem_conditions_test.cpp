#include "src/dispatch/modem_conditions.hpp"

#include "src/ports/modem_reason.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::dispatch;
using namespace std::chrono_literals;
using ports::ConditionKind;
using ports::LineView;
using ports::LinkState;
using ports::Stops;

namespace {

LineView good() {
    return {.name = "m3", .signal_dbm = -80, .link = LinkState::active};
}

LineView lost(const char* reason) {
    return {.name = "m3", .link = LinkState::pending, .reason = reason, .detail = "so it is"};
}

LineView spent(QuotaWindow window) {
    LineView line = good();
    line.quota = ports::QuotaView{
        .pause = ports::QuotaPause{.until = WallTime{1'800'000'000'000ms}, .window = window}};
    line.pause = ports::LinePause{.reason = "quota"};
    return line;
}

struct Row {
    const char* what;
    LineView line;
    std::optional<ConditionKind> kind;
    Stops stops = Stops::modem;
    bool passes = false;
    const char* text = "";
    const char* advice = "";
};

LineView with(LineView line, void (*change)(LineView&)) {
    change(line);
    return line;
}

std::vector<Row> rows() {
    using enum ConditionKind;
    return {
        {"a modem that sends", good(), std::nullopt},
        {"a port that is gone", lost("no_port"), modem_port, Stops::modem, false,
         "modem m3: so it is", "smsrack slots"},
        {"a port in use", lost("port_busy"), modem_port},
        {"a deaf modem", lost("no_answer"), modem_silent, Stops::modem, true, "", "RTS and CTS"},
        {"a modem that nothing helps", lost("out_of_service"), modem_silent},
        {"no SIM", lost("sim_absent"), modem_sim, Stops::modem, false, "", "insert the SIM"},
        {"a wrong PIN", lost("sim_pin"), modem_sim, Stops::modem, false, "", "correct `pin`"},
        {"no network yet", lost("registering"), modem_unregistered, Stops::modem, true, "",
         "smsrack at m3 AT+CSQ"},
        {"a network that refuses", lost("denied"), modem_unregistered},
        {"a start", lost("starting"), modem_not_ready, Stops::modem, true, "",
         "smsrack modem reset m3"},
        {"a reason without words",
         with(lost("starting"), [](LineView& line) { line.detail.clear(); }), modem_not_ready,
         Stops::modem, true, "modem m3: not ready (starting)"},
        {"a SIM that rests",
         with(good(), [](LineView& line) { line.pause = ports::LinePause{.reason = "cooling"}; }),
         modem_cooling, Stops::modem, false, "refused its SIM several times", "credit"},
        {"the quota of an hour is a pace", spent(QuotaWindow::hour), std::nullopt},
        {"the quota of a day", spent(QuotaWindow::day), quota_spent, Stops::modem, false,
         "quota of this day; it rests until 2027-01-15T08:00:00", "raise `quota`"},
        {"the quota of a month", spent(QuotaWindow::month), quota_spent},
        {"a SIM with room",
         with(good(), [](LineView& line) { line.sim_used = 15, line.sim_total = 20; }),
         std::nullopt},
        {"a SIM with little room",
         with(good(), [](LineView& line) { line.sim_used = 16, line.sim_total = 20; }),
         sim_nearly_full, Stops::nothing, false, "is nearly full: 16 of 20"},
        {"a full SIM",
         with(good(), [](LineView& line) { line.sim_used = 20, line.sim_total = 20; }),
         sim_nearly_full, Stops::nothing, false, "is full: 20 of 20", "smsrack modem drain m3"},
        {"a signal that will do",
         with(good(), [](LineView& line) { line.signal_dbm = ports::weak_signal_dbm; }),
         std::nullopt},
        {"a weak signal",
         with(good(), [](LineView& line) { line.signal_dbm = ports::weak_signal_dbm - 1; }),
         weak_signal, Stops::nothing, true, "at -106 dBm", "antenna"},
        {"one that stores what it should pass on",
         with(good(), [](LineView& line) { line.fallbacks.push = true; }), push_off, Stops::nothing,
         false, "modem m3 stores what it receives", "push = false"},
        {"one whose port is at its slower rate",
         with(good(), [](LineView& line) { line.fallbacks.fast_baud = true; }), fast_baud_off,
         Stops::nothing, false, "the port of modem m3 is at `baud`", "smsrack modem reset m3"},
        {"that of one that is not ready says nothing more",
         with(lost("denied"),
              [](LineView& line) {
                  line.fallbacks = {true, true};
              }),
         modem_unregistered},
        {"one that the operator has drained",
         with(lost("sim_pin"), [](LineView& line) { line.manual = ports::ManualState::blocked; }),
         std::nullopt},
        {"one that is parked, with its radio off",
         with(lost("asleep"),
              [](LineView& line) {
                  line.manual = ports::ManualState::blocked;
                  line.parked = true;
                  line.listens_at = WallTime{1ms};
              }),
         std::nullopt},
        {"one that is parked, and broken",
         with(lost("sim_pin"),
              [](LineView& line) {
                  line.manual = ports::ManualState::blocked;
                  line.parked = true;
              }),
         modem_sim},
    };
}

}  // namespace

TEST_CASE("modem_conditions: each fault of a modem has its kind, its words and its remedy") {
    for (const Row& row : rows()) {
        CAPTURE(row.what);
        const auto found = modem_conditions(row.line);
        REQUIRE(found.size() == (row.kind ? 1 : 0));
        if (row.kind) {
            CHECK(found[0].kind == *row.kind);
            CHECK(found[0].subject == "modem m3");
            CHECK(found[0].stops == row.stops);
            CHECK((found[0].patience > 0s) == row.passes);
            CHECK(found[0].text.contains(row.text));
            CHECK(!found[0].text.empty());
            CHECK(found[0].advice.contains(row.advice));
            CHECK(!found[0].advice.empty());
            CHECK(found[0].severity() == ports::Severity::warning);
        }
    }
}

TEST_CASE("modem_conditions: a modem may have several faults, of different kinds") {
    LineView line = good();
    line.signal_dbm = -113;
    line.sim_used = 20;
    line.sim_total = 20;
    CHECK(modem_conditions(line).size() == 2);
}
