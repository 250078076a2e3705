// The same through kill -9 every two seconds.
#include "tests/programs/support/torn_run.hpp"

#include <doctest/doctest.h>

namespace smsrack::test {

TEST_CASE(
    "torn: a URC inside 30 % of the answers, and the service is killed every 2 s: nothing is lost, "
    "nothing is doubled") {
    run_torn({.fault = {{"do", "urc_inside"}, {"count", 1'000'000}, {"percent", 30}}, .kills = 10});
}

TEST_CASE(
    "torn: 10 % of the answers lose octets, and the service is killed every 2 s: nothing is lost, "
    "nothing is doubled") {
    run_torn({.fault = {{"do", "lose_octets"}, {"count", 1'000'000}, {"percent", 10}},
              .kills = 10,
              .resends = true});
}

}  // namespace smsrack::test
