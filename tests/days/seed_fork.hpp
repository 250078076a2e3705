/// Runs the work of one seed in a process of its own, so that an abort or an endless loop is a finding and
/// not the end of the search.
///
/// Threads: one.
/// Errors:  std::runtime_error where the system gives no process.
#pragma once

#include "tests/support/temp_dir.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/types.h>

namespace smsrack::days {

struct SeedLimits {
    std::chrono::seconds processor;  ///< what it may use of one
    std::chrono::seconds whole;      ///< from its beginning
};

/// As long, or longer where several jobs share a processor.
[[nodiscard]] SeedLimits limits_of(std::chrono::seconds processor, unsigned jobs,
                                   unsigned processors);

class SeedFork {
public:
    /// What a process passes to the one that began it.
    struct Said {
        std::string text = {};   ///< what `live` returned
        std::string fault = {};  ///< how it ended where it returned nothing
    };
    /// Gets a folder for its files.
    using Live = std::function<std::string(const std::filesystem::path& home)>;

    /// Begins. Where it used or took more than `limits`, it is ended: it never would by itself. It ends with this process, however that ends.
    SeedFork(const Live& live, const std::filesystem::path& folder, SeedLimits limits);
    SeedFork(const SeedFork&) = delete;
    SeedFork& operator=(const SeedFork&) = delete;
    /// Ends it, where it has not ended.
    ~SeedFork();

    [[nodiscard]] pid_t pid() const { return pid_; }
    /// Where its files are, until this is destroyed: however it ends.
    [[nodiscard]] const std::filesystem::path& home() const { return home_.path(); }
    [[nodiscard]] std::chrono::duration<double> age() const;
    /// It has ended, or result() would end it.
    [[nodiscard]] bool has_result() const;
    /// Waits for its end.
    [[nodiscard]] Said result();

private:
    test::TempDir home_;
    SeedLimits limits_;
    std::chrono::steady_clock::time_point begun_;
    pid_t pid_ = -1;
    int output_ = -1;
};

}  // namespace smsrack::days
