/// One seed in a process of its own: what it does to itself, aborting and never ending included, is a finding and not the end of the search.
///
/// Threads: one. Errors: std::runtime_error where the system gives no process.
#pragma once

#include "tests/simulate/rack_days.hpp"

#include <chrono>
#include <filesystem>
#include <sys/types.h>

namespace smsrack::simulate {

/// What a seed may use of a processor, and a quarter of the time that it may take: some fifty times what its days and messages take in the release, for sanitizers and emulation.
[[nodiscard]] std::chrono::seconds longest(const DaysOptions& options);

class SeedProcess {
public:
    /// Begins. Where it used more of a processor than `limit`, or took four times as long, it is ended: it never would by itself.
    SeedProcess(const DaysOptions& options, std::chrono::seconds limit);
    SeedProcess(const SeedProcess&) = delete;
    SeedProcess& operator=(const SeedProcess&) = delete;
    /// Ends it, where it has not ended.
    ~SeedProcess();

    [[nodiscard]] const DaysOptions& options() const { return options_; }
    [[nodiscard]] pid_t pid() const { return pid_; }
    /// Where its files are, until this is destroyed: however it ends.
    [[nodiscard]] const std::filesystem::path& home() const { return home_.path(); }
    [[nodiscard]] std::chrono::duration<double> age() const;
    /// Waits for its end.
    [[nodiscard]] DaysResult result();

private:
    test::TempDir home_;
    DaysOptions options_;
    std::chrono::seconds limit_;
    std::chrono::steady_clock::time_point begun_;
    pid_t pid_ = -1;
    int output_ = -1;
};

}  // namespace smsrack::simulate
