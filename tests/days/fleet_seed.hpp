/// Runs one seed of a fleet's hours in a process of its own (SeedFork).
///
/// Threads: one.
/// Errors:  std::runtime_error where the system gives no process.
#pragma once

#include "tests/days/seed_fork.hpp"
#include "tests/fleet/days/fleet_days.hpp"

#include <chrono>
#include <filesystem>

namespace smsrack::days {

/// Some fifty times what its hours take in the release.
[[nodiscard]] SeedLimits longest(const test::FleetOptions& options, unsigned jobs = 1,
                                 unsigned processors = 1);

class FleetSeed {
public:
    FleetSeed(const test::FleetOptions& options, const std::filesystem::path& folder,
              SeedLimits limits);

    [[nodiscard]] const test::FleetOptions& options() const { return options_; }
    [[nodiscard]] std::chrono::duration<double> age() const { return fork_.age(); }
    [[nodiscard]] bool has_result() const { return fork_.has_result(); }
    [[nodiscard]] test::FleetResult result();

private:
    test::FleetOptions options_;
    SeedFork fork_;
};

}  // namespace smsrack::days
