// The box loses its power in the middle of a fault, and starts again: nothing is lost, nothing
// silently doubled, and the queue continues. The modems keep running, each in the state in which
// the fault left it.
#include "tests/rack/support/fault_check.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using test::FaultScenario;
using enum modem_sim::FaultKind;

namespace {

/// Several moments: the fault strikes at 3 s, and submits take 250 ms. None is just after an answer: what has its attempt in the store and
/// not yet its PDU in the modem stays in doubt, for the next start cannot know, as does an answer whose end still waits for a commit.
constexpr std::chrono::milliseconds moments[] = {3'010ms, 3'120ms, 3'380ms, 7'620ms};

/// Those that had a submit in flight may stay in doubt: one by the fault, and what no report
/// resolves.
void check_at_all_moments(FaultScenario scenario) {
    scenario.expected.others_alike = false;
    for (const auto moment : moments) {
        CAPTURE(moment.count());
        scenario.plan.power_lost = moment;
        test::check(scenario);
    }
}

}  // namespace

TEST_CASE("power lost while: nothing else goes wrong") {
    check_at_all_moments({"nothing else", {}});
}

TEST_CASE("power lost while: A1, the modem hangs or talks nonsense") {
    check_at_all_moments({"it hangs for a minute",
                          {.steps = {{3s, {.kind = hang}}, {63s, {.kind = unhang}}}},
                          {.unknown = 1}});
    check_at_all_moments(
        {"only a restart helps", {.steps = {{3s, {.kind = stall}}}}, {.unknown = 1}});
    check_at_all_moments({"garbage on the line",
                          {.steps = {{3s, {.kind = garbage, .count = 300}}}},
                          {.unknown = 1}});
}

TEST_CASE("power lost while: A2, the modem restarts or is unplugged") {
    check_at_all_moments({"it restarts", {.steps = {{3s, {.kind = reboot}}}}, {.unknown = 1}});
    check_at_all_moments({"unplugged for half a minute",
                          {.steps = {{3s, {.kind = unplug}}, {33s, {.kind = replug}}}},
                          {.unknown = 1}});
}

TEST_CASE("power lost while: A3, the network or the modem refuses") {
    check_at_all_moments(
        {"500 after the PDU", {.steps = {{3s, {.kind = cms_error}}}}, {.unknown = 1}});
    check_at_all_moments(
        {"42 twice", {.steps = {{3s, {.kind = cms_error, .count = 2, .code = 42}}}}});
    check_at_all_moments({"the network is lost",
                          {.steps = {{3s, {.kind = network_lost}}, {33s, {.kind = network_back}}}},
                          {.unknown = 1}});
}

TEST_CASE("power lost while: A5 and A6, the SIM is full, pulled or swapped") {
    check_at_all_moments(
        {"full while messages come in",
         {.steps = {{3s, {.kind = storage_full}}, {33s, {.kind = storage_free}}}, .inbound = 60}});
    check_at_all_moments({"pulled out",
                          {.steps = {{3s, {.kind = sim_removed}}, {33s, {.kind = sim_inserted}}}},
                          {.unknown = 1}});
    check_at_all_moments(
        {"another SIM", {.steps = {{3s, {.kind = sim_swapped, .code = 900}}}}, {.unknown = 1}});
}

TEST_CASE("power lost while: B7, an answer is lost or late") {
    check_at_all_moments({"lost", {.steps = {{3s, {.kind = lose_answer}}}}});
    check_at_all_moments({"lost, and no report",
                          {.steps = {{3s, {.kind = lose_answer}}}, .report = false},
                          {.unknown = 5}});
    check_at_all_moments({"lost, and the policy says again",
                          {.toml = "[queue]\nuncertain = \"resend\"\nuncertain_s = 10\n",
                           .steps = {{3s, {.kind = lose_answer}}},
                           .report = false},
                          {.resent = 5}});
    check_at_all_moments(
        {"after 20 s", {.steps = {{3s, {.kind = late_answer, .delay = 20s}}}}, {.unknown = 1}});
}

TEST_CASE("power lost while: B9, messages come in, each twice") {
    check_at_all_moments(
        {"twice",
         {.steps = {{0s, {.kind = duplicate_inbound, .count = 60, .delay = 40s}}}, .inbound = 60}});
    check_at_all_moments({"unreadable PDUs",
                          {.steps = {{3s, {.kind = undecodable, .count = 20}}}, .inbound = 20},
                          {.undecodable = 20}});
}

TEST_CASE("power lost while: B11, all lines fail") {
    constexpr int all = -1;
    check_at_all_moments(
        {"the network",
         {.steps = {{3s, {.kind = network_lost}, all}, {63s, {.kind = network_back}, all}}},
         {.unknown = 4}});
    check_at_all_moments({"all hang",
                          {.steps = {{3s, {.kind = hang}, all}, {63s, {.kind = unhang}, all}}},
                          {.unknown = 4}});
}
