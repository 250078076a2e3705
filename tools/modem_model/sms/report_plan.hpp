/// When the status report of a submit comes, and what it says.
#pragma once

#include "tools/modem_model/core.hpp"

#include <chrono>

namespace smsrack::modem_sim {

/// Puts the report of a submit accepted at `at`, or several, into the service centre's hands.
/// Returns how long the answer to the submit has to wait, so that a report can come before it.
[[nodiscard]] std::chrono::milliseconds plan_report(Core& core, SteadyTime at, const Submit& submit,
                                                    int mr);

}  // namespace smsrack::modem_sim
