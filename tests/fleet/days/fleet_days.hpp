/// Hours of a fleet from a seed: boxes, the model of their engine, and the faults of all of them.
///
/// The rules that must hold are those of FleetWatch (docs/decisions/0051).
/// Time: simulated; the same seed and options give the same hours.
#pragma once

#include "tests/fleet/days/fleet_counts.hpp"
#include "tests/support/temp_dir.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace smsrack::test {

struct FleetOptions {
    std::uint64_t seed = 1;
    std::size_t boxes = 3;
    unsigned hours = 1;
    /// Of each hour.
    std::size_t messages = 3'000;
    std::size_t faults = 60;
    std::size_t kills = 12;
    std::size_t questions = 60;                        ///< of boxes to others
    std::filesystem::path folder = TempDir::memory();  ///< where its own are made
    std::string rule = {};                             ///< this one alone is looked at; empty: all
};

struct FleetResult {
    FleetTotals totals = {};
    std::string violation = {};           ///< empty: all held
    std::vector<std::string> story = {};  ///< of what it was about
    std::uint64_t fingerprint = 0;        ///< of all that happened
};

[[nodiscard]] FleetResult live_fleet(const FleetOptions& options);

}  // namespace smsrack::test
