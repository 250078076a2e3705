/// Runs one seed in a process of its own, so that an abort or an endless loop is a finding and not
/// the end of the search.
///
/// Threads: one.
/// Errors:  std::runtime_error where the system gives no process.
#pragma once

#include "tests/days/rack_days.hpp"

#include <chrono>
#include <filesystem>
#include <sys/types.h>

namespace smsrack::days {

struct SeedLimits {
    std::chrono::seconds processor;  ///< what it may use of one
    std::chrono::seconds whole;      ///< from its beginning
};

/// Some fifty times what its days and messages take in the release, for sanitizers and emulation; and twice as long where each job has a processor,
/// or as much longer as it gets less of one.
[[nodiscard]] SeedLimits longest(const DaysOptions& options, unsigned jobs = 1,
                                 unsigned processors = 1);

class SeedProcess {
public:
    /// Begins. Where it used or took more than `limits`, it is ended: it never would by itself. It ends with this process, however that ends.
    SeedProcess(const DaysOptions& options, SeedLimits limits);
    SeedProcess(const SeedProcess&) = delete;
    SeedProcess& operator=(const SeedProcess&) = delete;
    /// Ends it, where it has not ended.
    ~SeedProcess();

    [[nodiscard]] const DaysOptions& options() const { return options_; }
    [[nodiscard]] pid_t pid() const { return pid_; }
    /// Where its files are, until this is destroyed: however it ends.
    [[nodiscard]] const std::filesystem::path& home() const { return home_.path(); }
    [[nodiscard]] std::chrono::duration<double> age() const;
    /// It has ended, or result() would end it.
    [[nodiscard]] bool has_result() const;
    /// Waits for its end.
    [[nodiscard]] DaysResult result();

private:
    test::TempDir home_;
    DaysOptions options_;
    SeedLimits limits_;
    std::chrono::steady_clock::time_point begun_;
    pid_t pid_ = -1;
    int output_ = -1;
};

}  // namespace smsrack::days
