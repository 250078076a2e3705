/// Applies a fault to a modem at once; faults that wait for their occasion go to its FaultPlan.
#pragma once

#include "tools/modem_model/core.hpp"

namespace smsrack::modem_sim {

/// All but `split`, `unplug` and `replug`, which are the wire's: they do nothing here.
void inject_fault(Core& core, SteadyTime at, const Fault& fault);

}  // namespace smsrack::modem_sim
