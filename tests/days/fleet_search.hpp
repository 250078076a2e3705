/// Runs seeds of a fleet one after the other, until something is wrong, and prints how often each thing
/// happened.
///
/// Threads: one.
/// Errors:  std::runtime_error if the search was interrupted, or the system gives no process.
#pragma once

#include "tests/fleet/days/fleet_days.hpp"
#include "tools/rig/interrupt.hpp"

#include <cstdint>

namespace smsrack::days {

struct FleetSearch {
    test::FleetOptions first = {};
    std::uint64_t seeds = 1;
    unsigned jobs = 1;
    std::uint64_t each_fault = 0;  ///< each kind of trouble must have come as often, in all
    const rig::Interrupt& interrupt;
};

/// False: something was wrong, or a fault came too seldom.
[[nodiscard]] bool search_fleet(const FleetSearch& search);

}  // namespace smsrack::days
