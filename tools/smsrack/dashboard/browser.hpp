/// Starts the caller's browser at an address that logs it in.
///
/// Time:    steady time, given with each call; the page that has the address is removed after page_kept, as long as its code
///          counts, or with the object.
/// Errors:  storage, not_found, not_allowed: it was not started.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "tools/smsrack/dashboard/login_page.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

namespace smsrack::cli {

class Browser {
public:
    static constexpr std::chrono::seconds page_kept{60};

    /// `program`: opens the file that is its argument. `parent`: of the page's folder.
    Browser(std::string program, std::filesystem::path parent)
        : program_(std::move(program)), parent_(std::move(parent)) {}

    /// Once; does not wait for it.
    [[nodiscard]] Result<> open(const std::string& address, SteadyTime now);

    /// Removes the page when it is time, and takes note of the program's end.
    void tend(SteadyTime now);
    /// When tend() has something to do; nullopt: it has nothing.
    [[nodiscard]] std::optional<SteadyTime> tend_at() const;

private:
    const std::string program_;
    const std::filesystem::path parent_;
    std::optional<LoginPage> page_;
    SteadyTime page_until_ = {};
    pid_t pid_ = -1;
};

}  // namespace smsrack::cli
