/// Runs one seed of a rack's days in a process of its own (SeedFork).
///
/// Threads: one.
/// Errors:  std::runtime_error where the system gives no process.
#pragma once

#include "tests/days/rack_days.hpp"
#include "tests/days/seed_fork.hpp"

#include <chrono>
#include <filesystem>
#include <sys/types.h>

namespace smsrack::days {

/// Some fifty times what its days and messages take in the release, for sanitizers and emulation; and twice as long where each job has a processor,
/// or as much longer as it gets less of one.
[[nodiscard]] SeedLimits longest(const DaysOptions& options, unsigned jobs = 1,
                                 unsigned processors = 1);

class SeedProcess {
public:
    SeedProcess(const DaysOptions& options, SeedLimits limits);

    [[nodiscard]] const DaysOptions& options() const { return options_; }
    [[nodiscard]] pid_t pid() const { return fork_.pid(); }
    [[nodiscard]] const std::filesystem::path& home() const { return fork_.home(); }
    [[nodiscard]] std::chrono::duration<double> age() const { return fork_.age(); }
    [[nodiscard]] bool has_result() const { return fork_.has_result(); }
    [[nodiscard]] DaysResult result();

private:
    DaysOptions options_;
    SeedFork fork_;
};

}  // namespace smsrack::days
