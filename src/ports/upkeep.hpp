/// An administrator's orders to the whole service: upgrade to another version, reload the
/// configuration.
///
/// Either of them lets the connection that asked outlive the objects that it was asked of: `done`
/// reports what went wrong before that; outcome() reports the result to the process that resumes
/// the answer.
/// Threads: the loop thread.
#pragma once

#include "src/base/interface.hpp"
#include "src/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::ports {

struct UpgradeOrder {
    std::string binary = {};  ///< absolute path of the program to hand over to
    /// hash128_text() of it: another file is refused. Empty: any.
    std::string hash = {};
    bool agreed = false;  ///< to a migration of the database, after which there is no way back
};

struct UpgradeReport {
    std::string from = {};  ///< version
    std::string to = {};
    int pid = 0;                         ///< of the program that runs now
    std::size_t lines = 0;               ///< handed over with their modems as they were
    std::size_t lines_anew = 0;          ///< which begin with their port
    std::size_t in_hand = 0;             ///< submits handed over while in flight
    std::size_t clients = 0;             ///< connections handed over
    std::chrono::milliseconds pause{0};  ///< in which no request was read
};

struct ReloadReport {
    std::vector<std::string> applied = {};        ///< what changed: "modem m3: quota"
    std::vector<std::string> needs_restart = {};  ///< likewise, but not applied
};

/// What the order before this start, or before this configuration, came to.
struct UpkeepOutcome {
    std::optional<Result<UpgradeReport>> upgrade = {};
    std::optional<Result<ReloadReport>> reload = {};
};

class Upkeep : public Interface {
public:
    using Refused = std::move_only_function<void(const Error&)>;
    using Reloaded = std::move_only_function<void(Result<ReloadReport>)>;

    /// busy: another order is under way; conflict: not as things are, with words; bad_request: not that program.
    virtual void upgrade(UpgradeOrder order, Refused refused) = 0;
    /// `reloaded` is called if nothing had to be rebuilt: nothing had changed, or bad_request with
    /// file, line and key of each fault of the file, of which nothing was applied.
    virtual void reload(Reloaded reloaded) = 0;

    [[nodiscard]] virtual const UpkeepOutcome& outcome() const = 0;
};

}  // namespace smsrack::ports
