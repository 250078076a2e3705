/// Delivers what comes from the network: into the SIM with +CMTI, or straight to the host with +CMT
/// and +CDS, as AT+CNMI and AT+CSMS say.
///
/// Source:  3GPP TS 27.005 3.4.1 to 3.4.4.
#pragma once

#include "tools/modem_model/core.hpp"

namespace smsrack::modem_sim {

inline constexpr int cms_operation_not_allowed = 302;
inline constexpr int cms_operation_not_supported = 303;
inline constexpr int cms_invalid_index = 321;
inline constexpr int cms_no_acknowledgement_expected = 340;

/// Everything that is due and that the modem can take; and the end of patience with a host that
/// does not acknowledge: the message goes back to the network, and CNMI <mt> and <ds> fall to 0.
void step_delivery(Core& core, SteadyTime at);

[[nodiscard]] SteadyTime delivery_deadline(const Core& core);

/// AT+CNMA. False where nothing waits for it.
[[nodiscard]] bool acknowledge(Core& core, SteadyTime at, bool positive);

}  // namespace smsrack::modem_sim
