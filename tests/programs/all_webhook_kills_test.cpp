// 10,000 events of webhooks while gate and service are killed 50 times.
#include "tests/programs/support/hook_kills.hpp"

#include <doctest/doctest.h>

namespace smsrack::test {

TEST_CASE("webhook: 10,000 events survive 50 kills, and npm's standardwebhooks verifies each") {
    CHECK(survive_kills({.messages = 2'500, .kills = 50, .by_npm = true}) >= 10'000);
}

}  // namespace smsrack::test
