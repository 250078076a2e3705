#include "tests/rack/support/fault_check.hpp"

#include <doctest/doctest.h>

#include <string>

namespace smsrack::test {
namespace {

/// Submits of each other line in the window, against the undisturbed run.
void check_other_lines(const FaultOutcome& outcome) {
    for (unsigned line = 1; line < fault_lines; ++line) {
        CAPTURE(line);
        CHECK(outcome.by_line[line] >= run_undisturbed().by_line[line] * 0.98);
    }
}

void check_messages(const FaultOutcome& outcome, const FaultExpected& expected) {
    CAPTURE(outcome.sent);
    CAPTURE(outcome.unknown);
    CAPTURE(outcome.refused);
    CAPTURE(outcome.waiting);
    CAPTURE(outcome.took.count());
    CHECK(outcome.wrong == 0);
    CHECK(outcome.unknown <= expected.unknown);
    CHECK(outcome.refused == expected.refused);
    CHECK(outcome.resent <= expected.resent);
    CHECK(outcome.waiting == expected.waiting);
    CHECK(outcome.accepted ==
          outcome.sent + outcome.unknown + outcome.refused + outcome.resent + outcome.waiting);
}

}  // namespace

void check(const FaultScenario& scenario) {
    const std::string name = scenario.name;
    CAPTURE(name);
    const FaultExpected& expected = scenario.expected;
    const FaultOutcome outcome = run_with_faults(scenario.plan);
    check_messages(outcome, expected);
    CHECK(outcome.first_line_back == expected.back);
    CHECK(outcome.lines_back == fault_lines - (expected.back ? 0U : 1U));
    CHECK(outcome.inbound == scenario.plan.inbound);
    CHECK(outcome.inbound_wrong == 0);
    CHECK(outcome.undecodable == expected.undecodable);
    CHECK(outcome.left_in_sim == expected.left_in_sim);
    if (expected.pin_attempts) {
        CHECK(outcome.pin_attempts == *expected.pin_attempts);
    }
    if (expected.others_alike) {
        check_other_lines(outcome);
    }
}

}  // namespace smsrack::test
