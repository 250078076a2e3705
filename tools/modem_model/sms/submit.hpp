/// The steps of a submit: prompt, entry, the network's service time, its decision, the answer.
#pragma once

#include "tools/modem_model/answer.hpp"
#include "tools/modem_model/core.hpp"

namespace smsrack::modem_sim {

/// AT+CMGS=<length>, AT+CMGW=<length>: the prompt, or why there is none.
[[nodiscard]] Answer begin_entry(Core& core, Entry entry);

/// Ctrl-Z after the prompt.
[[nodiscard]] Answer finish_entry(Core& core, SteadyTime at);

/// AT+CMSS=<index>.
[[nodiscard]] Answer send_stored(Core& core, SteadyTime at, std::size_t place);

/// The network decides, and the modem answers: what is due at `at`.
void step_submit(Core& core, SteadyTime at);

[[nodiscard]] SteadyTime submit_deadline(const Core& core);

}  // namespace smsrack::modem_sim
