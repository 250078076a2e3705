/// Number of modems required for a given load.
///
/// Errors:  bad_request where the rates are not above 0, the target is negative, or more than
///          servers_max would be needed.
/// Source:  [SMSEngine], M/M/c.
#pragma once

#include "src/base/result.hpp"
#include "src/model/mmc.hpp"

#include <cstdint>

namespace smsrack::model {

/// The fewest servers whose mean wait Wq is at most `target_wait` seconds.
[[nodiscard]] Result<std::uint32_t> servers_needed(double lambda, double mu, double target_wait);

}  // namespace smsrack::model
