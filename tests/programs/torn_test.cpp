// 80 messages received and 200 sent through one line whose answers are torn: all are there, each once.
#include "tests/programs/support/torn_run.hpp"

#include <doctest/doctest.h>

namespace smsrack::test {

TEST_CASE("torn: a URC inside 30 % of the answers: nothing is lost, nothing is doubled") {
    run_torn({.fault = {{"do", "urc_inside"}, {"count", 1'000'000}, {"percent", 30}}});
}

}  // namespace smsrack::test
