// Every fault of the simulator's that happens to messages, against the real service: minutes, so
// only where all tests are asked for.
#include "tests/programs/support/fault_table.hpp"

#include <doctest/doctest.h>

namespace smsrack::test {

TEST_CASE("faults of messages: the other lines do not notice, and no message is lost or doubled") {
    for (const FaultGroup& group : message_faults()) {
        const std::string name = group.name;
        CAPTURE(name);
        run_fault_cases(group.cases);
    }
}

}  // namespace smsrack::test
