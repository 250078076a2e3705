// 80 messages received and 200 sent through one line whose answers are torn: all are there, each once.
#include "tests/programs/support/torn_run.hpp"

#include <doctest/doctest.h>

namespace smsrack::test {

TEST_CASE("torn: 10 % of the answers lose octets: nothing is lost, nothing is doubled") {
    run_torn({.fault = {{"do", "lose_octets"}, {"count", 1'000'000}, {"percent", 10}}});
}

}  // namespace smsrack::test
