/// What is wrong with one modem, from what its line shows. Pure.
#pragma once

#include "src/ports/condition.hpp"
#include "src/ports/rack_view.hpp"

#include <string>
#include <vector>

namespace smsrack::dispatch {

/// The operator has taken it out of work: its faults are known, or do not matter.
[[nodiscard]] bool is_drained(const ports::LineView& line);

/// Its SIM rests after refusals.
[[nodiscard]] bool is_cooling(const ports::LineView& line);

/// The scaling controller has parked it, and it can send within its time to wake.
[[nodiscard]] bool is_parked_well(const ports::LineView& line);

/// One word why it does not send.
[[nodiscard]] std::string reason_of(const ports::LineView& line);

/// Of each kind at most one, with the modem as their subject. Empty: all is well, or the operator has drained it.
[[nodiscard]] std::vector<ports::Condition> modem_conditions(const ports::LineView& line);

}  // namespace smsrack::dispatch
