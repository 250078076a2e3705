/// AT+CMGD, and the ways in which a SIM may fail at it.
///
/// A place is free at once, also where the answer comes late or says no: another message may be in
/// it before the host knows.
/// Source:  3GPP TS 27.005 3.5.4.
#pragma once

#include "tools/modem_model/commands.hpp"

namespace smsrack::modem_sim {

/// AT+CMGD=<index>[,<delflag>].
[[nodiscard]] Answer run_erasure(Core& core, SteadyTime at, const AtCommand& command);

/// Answers one that was slow, when its time has come.
void step_erasure(Core& core, SteadyTime at);
[[nodiscard]] SteadyTime erasure_deadline(const Core& core);

}  // namespace smsrack::modem_sim
