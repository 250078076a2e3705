// Group A of what users of gateways complain of, the modem: each fault as a scenario. Nothing is lost, nothing silently
// doubled, and the other lines do not notice.
#include "tests/rack/support/fault_check.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using test::FaultOutcome;
using test::FaultScenario;
using enum modem_sim::FaultKind;

TEST_CASE("without a fault four lines send alike, and all of it") {
    const FaultOutcome& outcome = test::run_undisturbed();
    CHECK(outcome.sent == outcome.accepted);
    CHECK(outcome.wrong == 0);
    for (const int submits : outcome.by_line) {
        CHECK(submits > 70);
    }
}

// A1: the modem hangs and the daemon waits for ever, or a stray line throws the parser off.
TEST_CASE("A1: the modem hangs, or sends unexpected lines") {
    for (const FaultScenario& scenario : {
             FaultScenario{"it hangs for ever",
                           {.steps = {{3s, {.kind = hang}}}},
                           {.unknown = 1, .back = false}},
             FaultScenario{"it hangs for a minute",
                           {.steps = {{3s, {.kind = hang}}, {63s, {.kind = unhang}}}},
                           {.unknown = 1}},
             FaultScenario{
                 "only a restart helps", {.steps = {{3s, {.kind = stall}}}}, {.unknown = 1}},
             FaultScenario{"garbage on the line",
                           {.steps = {{3s, {.kind = garbage, .count = 300}}}},
                           {.unknown = 1}},
             FaultScenario{"octets one by one", {.steps = {{3s, {.kind = split, .count = 2000}}}}},
             FaultScenario{"a URC before each response",
                           {.steps = {{3s, {.kind = interleave, .count = 60}}}}},
             FaultScenario{"the prompt is not seen", {.steps = {{3s, {.kind = drop_prompt}}}}},
             FaultScenario{"an answer after 20 s",
                           {.steps = {{3s, {.kind = late_answer, .delay = 20s}}}}},
             FaultScenario{"an answer after 124 s, while draining",
                           {.steps = {{3s, {.kind = late_answer, .delay = 124s}}}}},
             FaultScenario{"a call",
                           {.steps = {{3s, {.kind = ring, .count = 10, .text = "+33612"}}}}},
         }) {
        test::check(scenario);
    }
}

// A2: a modem that resets or drops off is not picked up again.
TEST_CASE("A2: the modem restarts or is unplugged, and comes back by itself") {
    for (const FaultScenario& scenario : {
             FaultScenario{"it restarts", {.steps = {{3s, {.kind = reboot}}}}, {.unknown = 1}},
             FaultScenario{"it restarts twenty times",
                           {.steps = {{3s, {.kind = reboot_loop, .count = 20}}}},
                           {.unknown = 1}},
             FaultScenario{"unplugged for half a minute",
                           {.steps = {{3s, {.kind = unplug}}, {33s, {.kind = replug}}}},
                           {.unknown = 1}},
             FaultScenario{"unplugged for good",
                           {.steps = {{3s, {.kind = unplug}}}},
                           {.unknown = 1, .back = false}},
         }) {
        test::check(scenario);
    }
}

// A3: "CMS ERROR 500" or plain ERROR, which do not say what to do.
TEST_CASE("A3: the network or the modem refuses") {
    for (const FaultScenario& scenario : {
             FaultScenario{"500 in place of the prompt",
                           {.steps = {{3s, {.kind = cms_error, .at_command = true}}}}},
             FaultScenario{
                 "500 after the PDU", {.steps = {{3s, {.kind = cms_error}}}}, {.unknown = 1}},
             FaultScenario{"42 twice",
                           {.steps = {{3s, {.kind = cms_error, .count = 2, .code = 42}}}}},
             FaultScenario{
                 "42 three times, so that the SIM rests a minute",
                 {.steps = {{3s, {.kind = cms_error, .count = 3, .code = 42}}}, .rest = 60s}},
             FaultScenario{"1: no such number, which is the message's own fault",
                           {.steps = {{3s, {.kind = cms_error, .code = 1}}}},
                           {.refused = 1}},
             FaultScenario{"the network is lost for half a minute",
                           {.steps = {{3s, {.kind = network_lost}}, {33s, {.kind = network_back}}}},
                           {.unknown = 1}},
             FaultScenario{"the network denies the SIM for half a minute",
                           {.steps = {{3s, {.kind = denied}}, {33s, {.kind = network_back}}}},
                           {.unknown = 1}},
             FaultScenario{"the service centre's number is lost, and the configuration has it",
                           {.toml = "[defaults]\nsmsc = \"+33609001390\"\n",
                           .steps = {{3s, {.kind = centre_lost}}}}},
             FaultScenario{"the service centre's number is lost for good",
                           {.steps = {{3s, {.kind = centre_lost}}}},
                           {.back = false}},
         }) {
        test::check(scenario);
    }
}
