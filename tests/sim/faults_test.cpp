/// Every fault that users of gateways complain of, as a scenario: nothing lost, nothing silently
/// doubled, and the other lines do not notice.
#include "tests/sim/fault_run.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using test::FaultOutcome;
using enum sim::FaultKind;

namespace {

/// What a scenario may cost, and whether the line comes back by itself.
struct Expected {
    int unknown = 0;  ///< messages whose outcome nobody will know
    int refused = 0;  ///< messages that the network will not have
    int resent = 0;   ///< messages that went twice, because somebody wanted that
    bool back = true;
    int waiting = 0;
};

struct Scenario {
    const char* name;
    test::FaultPlanned plan;
    Expected expected = {};
};

/// Submits of each other line in the window, against the undisturbed run.
void check_other_lines(const FaultOutcome& outcome) {
    for (unsigned line = 1; line < test::fault_lines; ++line) {
        CAPTURE(line);
        const double undisturbed = test::run_undisturbed().by_line[line];
        CHECK(outcome.by_line[line] >= undisturbed * 0.98);
    }
}

void check(const Scenario& scenario) {
    const std::string name = scenario.name;
    CAPTURE(name);
    const FaultOutcome outcome = run_with_faults(scenario.plan);
    CAPTURE(outcome.sent);
    CAPTURE(outcome.unknown);
    CAPTURE(outcome.refused);
    CAPTURE(outcome.waiting);
    CAPTURE(outcome.took.count());
    CHECK(outcome.wrong == 0);
    CHECK(outcome.unknown <= scenario.expected.unknown);
    CHECK(outcome.refused == scenario.expected.refused);
    CHECK(outcome.resent <= scenario.expected.resent);
    CHECK(outcome.waiting == scenario.expected.waiting);
    CHECK(outcome.first_line_back == scenario.expected.back);
    CHECK(outcome.accepted ==
          outcome.sent + outcome.unknown + outcome.refused + outcome.resent + outcome.waiting);
    check_other_lines(outcome);
}

}  // namespace

TEST_CASE("without a fault four lines send alike, and all of it") {
    const FaultOutcome& outcome = test::run_undisturbed();
    CHECK(outcome.sent == outcome.accepted);
    CHECK(outcome.wrong == 0);
    for (const int submits : outcome.by_line) {
        CHECK(submits > 70);
    }
}

// Pain 1: the modem hangs and the daemon waits for ever, or a stray line throws the parser off.
TEST_CASE("fault: the modem hangs, or says what nobody asked for") {
    for (const Scenario& scenario : {
             Scenario{"it hangs for ever",
                      {.steps = {{3s, {.kind = hang}}}},
                      {.unknown = 1, .back = false}},
             Scenario{"it hangs for a minute",
                      {.steps = {{3s, {.kind = hang}}, {63s, {.kind = unhang}}}},
                      {.unknown = 1}},
             Scenario{"only a restart helps", {.steps = {{3s, {.kind = stall}}}}, {.unknown = 1}},
             Scenario{"garbage on the line",
                      {.steps = {{3s, {.kind = garbage, .count = 300}}}},
                      {.unknown = 1}},
             Scenario{"octets one by one", {.steps = {{3s, {.kind = split, .count = 2000}}}}},
             Scenario{"a URC before each response",
                      {.steps = {{3s, {.kind = interleave, .count = 60}}}}},
             Scenario{"the prompt is not seen", {.steps = {{3s, {.kind = drop_prompt}}}}},
             Scenario{"an answer after 20 s",
                      {.steps = {{3s, {.kind = late_answer, .delay = 20s}}}}},
             Scenario{"an answer after 124 s, while draining",
                      {.steps = {{3s, {.kind = late_answer, .delay = 124s}}}}},
             Scenario{"a call", {.steps = {{3s, {.kind = ring, .count = 10, .text = "+33612"}}}}},
         }) {
        check(scenario);
    }
}

// Pain 2: a modem that resets or drops off is not picked up again.
TEST_CASE("fault: the modem restarts or is unplugged, and comes back by itself") {
    for (const Scenario& scenario : {
             Scenario{"it restarts", {.steps = {{3s, {.kind = reboot}}}}, {.unknown = 1}},
             Scenario{"it restarts twenty times",
                      {.steps = {{3s, {.kind = reboot_loop, .count = 20}}}},
                      {.unknown = 1}},
             Scenario{"unplugged for half a minute",
                      {.steps = {{3s, {.kind = unplug}}, {33s, {.kind = replug}}}},
                      {.unknown = 1}},
             Scenario{"unplugged for good",
                      {.steps = {{3s, {.kind = unplug}}}},
                      {.unknown = 1, .back = false}},
         }) {
        check(scenario);
    }
}

// Pain 3: "CMS ERROR 500" or plain ERROR, nobody knows what to do.
TEST_CASE("fault: the network or the modem refuses") {
    for (const Scenario& scenario : {
             Scenario{"500 in place of the prompt",
                      {.steps = {{3s, {.kind = cms_error, .at_command = true}}}}},
             Scenario{"500 after the PDU", {.steps = {{3s, {.kind = cms_error}}}}, {.unknown = 1}},
             Scenario{"42 twice", {.steps = {{3s, {.kind = cms_error, .count = 2, .code = 42}}}}},
             Scenario{"42 three times, so that the SIM rests a minute",
                      {.steps = {{3s, {.kind = cms_error, .count = 3, .code = 42}}}, .rest = 60s}},
             Scenario{"1: no such number, which is the message's own fault",
                      {.steps = {{3s, {.kind = cms_error, .code = 1}}}},
                      {.refused = 1}},
             Scenario{"the network is lost for half a minute",
                      {.steps = {{3s, {.kind = network_lost}}, {33s, {.kind = network_back}}}},
                      {.unknown = 1}},
             Scenario{"the network denies the SIM for half a minute",
                      {.steps = {{3s, {.kind = denied}}, {33s, {.kind = network_back}}}},
                      {.unknown = 1}},
         }) {
        check(scenario);
    }
}

// Pains 4 to 6: the SIM.
TEST_CASE("fault: the SIM") {
    for (const Scenario& scenario : {
             Scenario{"pulled out for half a minute",
                      {.steps = {{3s, {.kind = sim_removed}}, {33s, {.kind = sim_inserted}}}},
                      {.unknown = 1}},
             Scenario{"full",
                      {.steps = {{3s, {.kind = storage_full}}, {33s, {.kind = storage_free}}}}},
             Scenario{"busy",
                      {.steps = {{3s, {.kind = reboot}}, {4s, {.kind = sim_busy, .count = 3}}}},
                      {.unknown = 1}},
         }) {
        check(scenario);
    }
}

// Pain 7: duplicates after a timeout, crash or restart.
TEST_CASE("fault: the answer is lost") {
    constexpr auto resend = "[queue]\nuncertain = \"resend\"\nuncertain_s = 10\n";
    for (const Scenario& scenario : {
             Scenario{"the report resolves the doubt", {.steps = {{3s, {.kind = lose_answer}}}}},
             Scenario{"no report: never sent again",
                      {.steps = {{3s, {.kind = lose_answer}}}, .report = false},
                      {.unknown = 1}},
             Scenario{"no report, three times",
                      {.steps = {{3s, {.kind = lose_answer, .count = 3}}}, .report = false},
                      {.unknown = 3}},
             Scenario{"the policy says again",
                      {.toml = resend, .steps = {{3s, {.kind = lose_answer}}}, .report = false},
                      {.resent = 1}},
             Scenario{"the report comes before the answer",
                      {.steps = {{3s, {.kind = early_report, .count = 10, .delay = 500ms}}}}},
             Scenario{"the reports come ten minutes later",
                      {.steps = {{3s, {.kind = late_report, .count = 10, .delay = 600s}}}}},
             Scenario{
                 "a temporary report before the final one",
                 {.steps = {{3s,
                             {.kind = temporary_report, .count = 10, .code = 0x21, .delay = 5s}}}}},
             Scenario{"a service centre two hours ahead",
                      {.steps = {{3s, {.kind = report_zone, .count = 10, .code = 8}}}}},
         }) {
        check(scenario);
    }
}
