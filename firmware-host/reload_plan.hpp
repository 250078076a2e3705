/// The difference between two configurations, in words, and the lines that it concerns.
///
/// Unit:    an item is "SECTION.KEY", "modem NAME: KEY", "modem NAME: new", "route 2: KEY", or names
///          a file that was read again.
/// Threads: any.
#pragma once

#include "firmware-host/setup/configuration.hpp"
#include "src/base/result.hpp"
#include "src/config/settings.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace smsrack::host {

struct ReloadPlan {
    std::vector<std::string> applied = {};
    std::vector<std::string> needs_restart = {};
    /// Removed, or at another port or speed: they finish what they hold first. All others continue
    /// as they are.
    std::set<std::string, std::less<>> ending = {};
};

/// `wanted` is changed to what can be applied: what needs a restart stays as in `now`.
[[nodiscard]] ReloadPlan plan_reload(const config::Settings& now, config::Settings& wanted);

struct NewConfiguration {
    Configuration configuration;
    ReloadPlan plan = {};
};

/// Reads the configuration again. `warnings`: of the one that runs now.
/// Errors: bad_request with file, line and key of each fault, one a line: nothing is applied.
[[nodiscard]] Result<NewConfiguration> read_again(const std::string& file,
                                                  const config::Settings& now,
                                                  const config::ConfigProblems& warnings);

}  // namespace smsrack::host
