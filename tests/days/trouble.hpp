/// Random faults of modems, each kind equally likely, and the operator's actions that end them.
#pragma once

#include "src/base/random.hpp"
#include "tools/modem_model/faults/fault.hpp"

#include <optional>

namespace smsrack::days {

struct Trouble {
    modem_sim::Fault fault;
    std::optional<modem_sim::Fault> end = {};  ///< of one that lasts
};

/// `modem`: its place, whose own SIM it has at first.
[[nodiscard]] Trouble draw_trouble(Random& random, unsigned modem);

}  // namespace smsrack::days
