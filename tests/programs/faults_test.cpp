// Faults of modems against the real service are in all_modem_faults_test.cpp and all_message_faults_test.cpp: they take minutes.
#include "tests/programs/support/fault_table.hpp"
#include "tools/modem_model/faults/fault.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace smsrack::test {

TEST_CASE("fault: each that the simulator can do is among those that all lines are put to") {
    // Those of the rate of a port need `fast_baud`: fast_baud_test.cpp puts the real service to them.
    std::set<std::string> done{"rate_ignored", "rate_lossy", "rate_clean"};
    for (const auto* groups : {&modem_faults(), &message_faults()}) {
        for (const FaultGroup& group : *groups) {
            for (const FaultCase& one : group.cases) {
                for (const FaultOrder& begin : one.begin) {
                    done.insert(begin.order.at("do"));
                }
                for (const wire::Json& end : one.end) {
                    done.insert(end.at("do"));
                }
            }
        }
    }
    for (const modem_sim::FaultRow& row : modem_sim::faults()) {
        CAPTURE(row.name);
        CHECK(done.contains(std::string(row.name)));
    }
}

}  // namespace smsrack::test
