/// Messages both ways through one line whose answers are torn, optionally under a service that is
/// killed repeatedly.
///
/// Checks: each message that the network delivered is in the inbox as often as it was sent, and each one sent ends `delivered`.
/// Source: docs/decisions/0032-whole-or-not-at-all.md.
#pragma once

#include "src/wire/json.hpp"

namespace smsrack::test {

struct TornPlan {
    wire::Json fault = {};  ///< an order to smsrack-sim, which lasts for the whole run
    int kills = 0;          ///< SIGKILL, each after two seconds of life
    /// Messages in doubt are sent again. Where the proof that a killed submit was not begun is torn, nothing else can deliver it.
    bool resends = false;
};

void run_torn(const TornPlan& plan);

}  // namespace smsrack::test
