/// Damages an answer between the modem and the host: a URC gets inside it, or octets are lost.
///
/// Source:  a UART without flow control that overruns; firmware that says a URC when it comes,
///          whatever it is saying. Seen on WAVECOM modems.
#pragma once

#include "tools/modem_model/core.hpp"

#include <string>

namespace smsrack::modem_sim {

/// `answer` as it reaches the host: whole where no `urc_inside` and no `lose_octets` waits.
[[nodiscard]] std::string through_noise(Core& core, std::string answer);

/// The answer to a submit with its "+CMGS: <mr>" torn, where a `torn_reference` waits.
[[nodiscard]] std::string with_torn_reference(Core& core, std::string answer);

/// "O", a URC, "K": the end of a listing that a URC cuts.
[[nodiscard]] std::string torn_ok(Core& core);

}  // namespace smsrack::modem_sim
