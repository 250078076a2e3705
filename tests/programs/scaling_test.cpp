// A day in a minute with the real programs: lines are parked and let in as the load goes, nothing is lost, and each decision
// is explained. all_scaling_test has the longer days.
#include "tests/programs/support/scaling_day.hpp"

#include <doctest/doctest.h>

namespace smsrack::test {

TEST_CASE(
    "scaling: a day of eight lines parks them and lets them in, loses nothing, and says why") {
    ScalingDay day({});
    CHECK(day.night());
    day.day();
    CHECK(day.night());
    day.check_messages();
    day.check_lines_follow_load();
    day.check_decisions();
    day.check_parked_lines_rest();
}

}  // namespace smsrack::test
