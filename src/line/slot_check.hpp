/// Is what sits in a slot what sat there last time, and if not: may it send?
#pragma once

#include "src/ports/slot.hpp"

#include <string>

namespace smsrack::line {

struct SlotVerdict {
    bool modem_changed = false;
    bool sim_changed = false;
    bool refused = false;
    bool is_expected = false;  ///< another SIM is no news here
    std::string detail = {};   ///< where the SIM changed: the sentence for a person
};

[[nodiscard]] SlotVerdict judge_slot(ports::SimPolicy policy, const ports::SlotSeen& now,
                                     const ports::SlotKnown& before);

}  // namespace smsrack::line
