#include "tests/simulate/trouble.hpp"

#include "tests/simulate/choice.hpp"

#include <algorithm>

namespace smsrack::simulate {
namespace {

using enum sim::FaultKind;

constexpr int foreign_card = 900;  // and above: SIMs of no modem of the rack

/// A person has the SIM unlocked; it has the PIN that all have.
sim::Fault unlocked() {
    return {.kind = pin_wanted, .count = 3, .text = std::string(pin)};
}

sim::Fault own_card(unsigned modem) {
    return {.kind = sim_swapped, .code = static_cast<int>(modem)};
}

bool ends_another(sim::FaultKind kind) {
    return std::ranges::any_of(sim::faults(),
                               [kind](const sim::FaultRow& row) { return row.ended_by == kind; });
}

std::optional<sim::Fault> end_of(sim::FaultKind kind, unsigned modem) {
    if (kind == puk_wanted) {
        return unlocked();
    }
    if (kind == sim_swapped) {
        return own_card(modem);
    }
    const auto by = sim::fault_row(kind).ended_by;
    return by ? std::optional(sim::make_fault(*by)) : std::nullopt;
}

}  // namespace

Trouble draw_trouble(Random& random, unsigned modem) {
    sim::FaultKind kind{};
    do {
        kind = sim::faults()[random.below(sim::fault_kinds)].kind;
    } while (ends_another(kind));
    sim::Fault fault = sim::make_fault(kind);
    const sim::FaultRow& row = sim::fault_row(kind);
    if (row.count == 1 && row.count_max > 1 && kind != undecodable) {
        fault.count = 1 + static_cast<int>(random.below(3));
    }
    if (kind == pin_wanted) {
        fault = unlocked();
    } else if (kind == puk_wanted) {
        fault.text = std::string(pin);
    } else if (kind == sim_swapped) {
        fault.code = foreign_card + static_cast<int>(modem);
    }
    return {.fault = std::move(fault), .end = end_of(kind, modem)};
}

}  // namespace smsrack::simulate
