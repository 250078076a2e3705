// Group B of what users of gateways complain of, messages lost or doubled: each fault as a scenario. Nothing is lost, nothing silently
// doubled, and the other lines do not notice.
#include "tests/rack/support/fault_check.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace smsrack;
using namespace std::chrono_literals;
using test::FaultScenario;
using enum modem_sim::FaultKind;

// B7: duplicates after a timeout, crash or restart.
TEST_CASE("B7: an answer is lost, and what follows never doubles a message silently") {
    constexpr auto resend = "[queue]\nuncertain = \"resend\"\nuncertain_s = 10\n";
    for (const FaultScenario& scenario : {
             FaultScenario{"the report resolves the doubt",
                           {.steps = {{3s, {.kind = lose_answer}}}}},
             FaultScenario{"no report: never sent again",
                           {.steps = {{3s, {.kind = lose_answer}}}, .report = false},
                           {.unknown = 1}},
             FaultScenario{"no report, three times",
                           {.steps = {{3s, {.kind = lose_answer, .count = 3}}}, .report = false},
                           {.unknown = 3}},
             FaultScenario{
                 "the policy says again",
                 {.toml = resend, .steps = {{3s, {.kind = lose_answer}}}, .report = false},
                 {.resent = 1}},
             FaultScenario{"the report comes before the answer",
                           {.steps = {{3s, {.kind = early_report, .count = 10, .delay = 500ms}}}}},
             FaultScenario{"the reports come ten minutes later",
                           {.steps = {{3s, {.kind = late_report, .count = 10, .delay = 600s}}}}},
             FaultScenario{
                 "a temporary report before the final one",
                 {.steps = {{3s,
                             {.kind = temporary_report, .count = 10, .code = 0x21, .delay = 5s}}}}},
             FaultScenario{"a service centre two hours ahead",
                           {.steps = {{3s, {.kind = report_zone, .count = 10, .code = 8}}}}},
         }) {
        test::check(scenario);
    }
}

// B8: messages lost when one attempt fails.
TEST_CASE("B8: attempts fail, and their messages go out by the next one") {
    for (const FaultScenario& scenario : {
             FaultScenario{"twice on every line",
                           {.steps = {{3s, {.kind = cms_error, .count = 2, .code = 42}, -1}}},
                           {.others_alike = false}},
             FaultScenario{"the prompt refused on every line",
                           {.steps = {{3s, {.kind = cms_error, .at_command = true}, -1}}},
                           {.others_alike = false}},
             FaultScenario{"the SIM of one line is barred for a while",
                           {.toml = "[queue]\nretry_limit = 20\n",
                           .steps = {{3s, {.kind = cms_error, .count = 3, .code = 8}}},
                           .rest = 300s}},
             FaultScenario{"an inbound message, its URC in the middle of a submit",
                           {.steps = {{1s, {.kind = interleave, .count = 200}}}, .inbound = 60}},
         }) {
        test::check(scenario);
    }
}

// B9: the same incoming message is processed again and again.
TEST_CASE("B9: what comes in twice is kept once") {
    for (const FaultScenario& scenario : {
             FaultScenario{"the network hears no RP-ACK and sends each one again",
                           {.steps = {{0s, {.kind = duplicate_inbound, .count = 30, .delay = 40s}}},
                           .inbound = 30}},
             FaultScenario{"again when it was long deleted",
                           {.steps = {{0s, {.kind = duplicate_inbound, .count = 30, .delay = 60s}}},
                           .inbound = 30}},
             FaultScenario{
                 "the modem restarts before it could be deleted",
                 {.steps = {{5s, {.kind = reboot}}, {12s, {.kind = reboot}}}, .inbound = 60},
                 {.unknown = 2}},
         }) {
        test::check(scenario);
    }
}

// B10: one bad message blocks the rest.
TEST_CASE("B10: messages that can't be delivered do not hold up the others") {
    for (const auto& [code, refused] : {std::pair{1, 5}, std::pair{28, 5}}) {
        CAPTURE(code);
        const test::FaultPlanned plan{
            .steps = {{3s, {.kind = cms_error, .count = refused, .code = code}}}};
        test::check({"no such number, five times", plan, {.refused = refused}});
        // Nor is the line that gets this answer any slower: each costs one submit of its own.
        const int undisturbed = test::run_undisturbed().by_line[0];
        CHECK(test::run_with_faults(plan).by_line[0] >= undisturbed - 2 * refused);
    }
}

// B11: the queue stops until someone restarts the service.
TEST_CASE("B11: the queue continues by itself when all lines had failed at once") {
    constexpr int all = -1;
    for (const FaultScenario& scenario : {
             FaultScenario{"the network, for ten minutes",
                           {.steps = {{3s, {.kind = network_lost}, all},
                                      {603s, {.kind = network_back}, all}}},
                           {.unknown = 4}},
             FaultScenario{
                 "the network denies all SIMs for ten minutes",
                 {.steps = {{3s, {.kind = denied}, all}, {603s, {.kind = network_back}, all}}},
                 {.unknown = 4}},
             FaultScenario{"all restart", {.steps = {{3s, {.kind = reboot}, all}}}, {.unknown = 4}},
             FaultScenario{"all hang for ten minutes",
                           {.steps = {{3s, {.kind = hang}, all}, {603s, {.kind = unhang}, all}}},
                           {.unknown = 4}},
             FaultScenario{"all are unplugged for ten minutes",
                           {.steps = {{3s, {.kind = unplug}, all}, {603s, {.kind = replug}, all}}},
                           {.unknown = 4}},
             FaultScenario{
                 "all SIMs are pulled for ten minutes",
                 {.steps = {{3s, {.kind = sim_removed}, all}, {603s, {.kind = sim_inserted}, all}}},
                 {.unknown = 4}},
             FaultScenario{"no line gets an answer, three times",
                           {.steps = {{3s, {.kind = lose_answer, .count = 3}, all}}}},
         }) {
        FaultScenario alone = scenario;
        alone.expected.others_alike = false;
        test::check(alone);
    }
}
