/// The words in which boxes pass opt-outs, pauses and cancelled batches to each other through the engine: JSON.
///
/// Errors:  bad_request: it is not what a box has written.
#pragma once

#include "src/base/result.hpp"
#include "src/ports/cluster_engine.hpp"

namespace smsrack::cluster {

[[nodiscard]] ports::SharedRule shared(const ports::OwnRule& own);
/// `now`: by this box's clock; the rule is not dated later.
[[nodiscard]] Result<ports::OperatorRule> rule_of(const ports::SharedRule& shared, WallTime now);

}  // namespace smsrack::cluster
