/// An incoming call: it rings until the host hangs up or the caller gives up.
///
/// Source:  3GPP TS 27.007 6.11 (+CRC), 7.6 (+CLIP); ITU-T V.250 6.3.6 (H).
#pragma once

#include "tools/modem_model/core.hpp"

#include <string_view>

namespace smsrack::modem_sim {

/// An incoming call; ignored if the modem is not registered or another call rings.
void begin_call(Core& core, SteadyTime at, std::string_view from, int rings);
/// ATH
void hang_up(Core& core, SteadyTime at);
void step_call(Core& core, SteadyTime at);

}  // namespace smsrack::modem_sim
