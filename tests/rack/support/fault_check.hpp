/// A scenario with a fault, its permitted cost, and the check of what it did cost.
#pragma once

#include "tests/rack/support/fault_run.hpp"

#include <optional>

namespace smsrack::test {

struct FaultExpected {
    int unknown = 0;  ///< messages whose outcome stays unknown, at most
    int refused = 0;  ///< messages that the network will not have
    int resent = 0;   ///< messages that went twice, because that was configured, at most
    bool back = true;
    int waiting = 0;
    bool others_alike = true;  ///< the other lines send as if nothing had been
    int undecodable = 0;
    std::size_t left_in_sim = 0;
    std::optional<int> pin_attempts = {};
};

struct FaultScenario {
    const char* name;
    FaultPlanned plan;
    FaultExpected expected = {};
};

/// Plays it. Nothing is lost, nothing silently doubled, what came in is kept once, and the rest is as
/// expected.
void check(const FaultScenario& scenario);

}  // namespace smsrack::test
