/// One seed in a process of its own: what it does to itself, aborting and never ending included, is a finding and not the end of the search.
///
/// Threads: one. Errors: std::runtime_error where the system gives no process.
#pragma once

#include "tests/simulate/rack_days.hpp"

#include <chrono>
#include <sys/types.h>

namespace smsrack::simulate {

/// What a seed may use of a processor: some fifty times what its days and messages take in the release, for sanitizers and emulation.
[[nodiscard]] std::chrono::seconds longest(const DaysOptions& options);

class SeedProcess {
public:
    /// Begins. Where it used more of a processor than `limit`, it is ended: it never would by itself.
    SeedProcess(const DaysOptions& options, std::chrono::seconds limit);
    SeedProcess(const SeedProcess&) = delete;
    SeedProcess& operator=(const SeedProcess&) = delete;
    /// Ends it, where it has not ended.
    ~SeedProcess();

    [[nodiscard]] const DaysOptions& options() const { return options_; }
    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] std::chrono::duration<double> age() const;
    /// Waits for its end.
    [[nodiscard]] DaysResult result();

private:
    DaysOptions options_;
    std::chrono::seconds limit_;
    std::chrono::steady_clock::time_point begun_;
    pid_t pid_ = -1;
    int output_ = -1;
};

}  // namespace smsrack::simulate
