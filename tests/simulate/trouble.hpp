/// Faults of modems by chance, each kind alike, and what a person does to end them.
#pragma once

#include "src/base/random.hpp"
#include "tools/sim_model/fault.hpp"

#include <optional>

namespace smsrack::simulate {

struct Trouble {
    sim::Fault fault;
    std::optional<sim::Fault> end = {};  ///< of one that lasts
};

/// `modem`: its place, whose own SIM it has at first.
[[nodiscard]] Trouble draw_trouble(Random& random, unsigned modem);

}  // namespace smsrack::simulate
