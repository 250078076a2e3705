/// Power, start, SIM and network of a modem: the +WIND sequence and the registration.
#pragma once

#include "tools/modem_model/core.hpp"

#include <string>
#include <string_view>

namespace smsrack::modem_sim {

void power_on(Core& core, SteadyTime at);
/// Everything in RAM is gone, a submit in flight too: it was not accepted.
void power_off(Core& core);
void restart(Core& core, SteadyTime at);
/// Up and registered without the wait, as a modem that has been on for long.
void power_on_ready(Core& core);

void remove_card(Core& core);
void insert_card(Core& core, SteadyTime at);
/// The right PIN was given: the start continues.
void card_unlocked(Core& core, SteadyTime at);
/// Another SIM goes in: that of the modem `index`, which is new unless it was in this modem before.
void swap_card(Core& core, SteadyTime at, unsigned index);
/// A restart, after which the SIM asks for `pin`; with no attempt left, for its PUK.
void lock_card(Core& core, SteadyTime at, std::string_view pin, int attempts);
void set_coverage(Core& core, Coverage coverage);
void set_full_function(Core& core, bool full);

/// The steps of the start that are due at `at`.
void step_life(Core& core, SteadyTime at);

/// 3GPP TS 27.007 7.2 <stat>.
[[nodiscard]] int registration_stat(const Core& core);
/// "1", or with place where the host asked for it (+CREG=2).
[[nodiscard]] std::string registration_text(const Core& core);

}  // namespace smsrack::modem_sim
