/// Every fault that smsrack-sim can do, applied to one line of a rack.
///
/// Source:  the complaints of users of other gateways, docs/complaints.md:
///          the modem, and losing or doubling messages.
#pragma once

#include "tests/programs/support/fault_case.hpp"

#include <vector>

namespace smsrack::test {

/// Those of one rack.
struct FaultGroup {
    const char* name;
    std::vector<FaultCase> cases;
};

/// What happens to the modem, its SIM, its network.
[[nodiscard]] const std::vector<FaultGroup>& modem_faults();
/// What happens to answers, reports and received messages.
[[nodiscard]] const std::vector<FaultGroup>& message_faults();

}  // namespace smsrack::test
