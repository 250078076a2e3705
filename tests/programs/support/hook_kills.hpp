/// Messages while gate and service are killed at random: what their receiver gets of each event.
#pragma once

#include <cstddef>

namespace smsrack::test {

struct HookKillPlan {
    int messages = 0;
    int kills = 0;        ///< of the gate, of the service, or of both
    bool by_npm = false;  ///< npm's standardwebhooks checks each request
};

/// Checks that each event of each message came once at least, signed, in order, and the same each time. The number of
/// events that came.
[[nodiscard]] std::size_t survive_kills(const HookKillPlan& plan);

}  // namespace smsrack::test
