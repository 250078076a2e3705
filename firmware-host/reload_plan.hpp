/// What another configuration changes, in words, and which lines it concerns.
///
/// Unit:    an item is "SECTION.KEY", "modem NAME: KEY", "modem NAME: new", "route 2: KEY".
#pragma once

#include "src/config/settings.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace smsrack::host {

struct ReloadPlan {
    std::vector<std::string> applied = {};
    std::vector<std::string> needs_restart = {};
    /// Removed, or at another port or speed: they end what they hold first. All others go on as they are.
    std::set<std::string, std::less<>> ending = {};
};

/// `wanted` is changed to what can be applied: what needs a restart stays as in `now`.
[[nodiscard]] ReloadPlan plan_reload(const config::Settings& now, config::Settings& wanted);

}  // namespace smsrack::host
