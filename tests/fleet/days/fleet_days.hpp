/// Hours of a fleet from a seed: three boxes, the model of the engine, and the faults of both.
///
/// Promises that must hold at the end, when everything is repaired (docs/decisions/0051): each message that
/// was accepted is sent once; or its box knows that its outcome is unknown. None is sent twice, ever.
/// Time: simulated; the same seed gives the same hours.
#pragma once

#include "tests/fleet/days/fleet_box.hpp"
#include "tests/fleet/model/engine_model.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace smsrack::test {

struct FleetDaysOptions {
    std::uint64_t seed = 1;
    std::chrono::minutes length{60};
    std::size_t messages = 3'000;
    std::size_t faults = 120;
    std::size_t kills = 24;
};

struct FleetDaysResult {
    std::vector<std::string> wrong = {};  ///< empty: all held
    std::size_t accepted = 0;
    std::size_t sent = 0;
    std::size_t doubtful = 0;
    std::size_t by_others = 0;  ///< sent by another box than the one that accepted it
};

[[nodiscard]] FleetDaysResult live_fleet(const FleetDaysOptions& options);

}  // namespace smsrack::test
