/// Chooses the group of a message: by the first route whose prefix matches. If that route names
/// several groups, it takes the one that sends soonest, or, on a sticky route, the recipient's
/// group.
///
/// What a group can do: the measured rate of its lines that may send, the work before the message
/// there or sent there recently (so that idle groups share in proportion), and what is left of its
/// quotas. A group that can't send is taken only where none can.
/// Unit:    segments; segments a second.
/// Time:    steady time of the caller.
/// Threads: one at a time.
/// Source:  [EBAS] router; [Elastic] CAgent: balanced by message, weighted by what each back end can do.
#pragma once

#include "src/base/clock.hpp"
#include "src/ports/rack_view.hpp"
#include "src/sms/level.hpp"
#include "src/stats/decaying_rate.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::intake {

struct Route {
    std::string prefix;               ///< of the normalised number
    std::vector<std::string> groups;  ///< at least one
    bool sticky = false;  ///< the same recipient: the same group, and within it the same SIM
};

/// What is asked for.
struct Routed {
    std::string_view to;
    Level level = 0;
    std::uint32_t segments = 1;
};

struct RouteChoice {
    std::string group;
    bool sticky = false;
    std::string why;  ///< "route +336: of a (3 s) and b (40 s) the soonest"
};

class Router {
public:
    /// Nullopt if this group is not measured.
    using LoadOf = std::function<std::optional<ports::GroupLoad>(const std::string& group)>;

    Router(std::vector<Route> routes, std::string default_group)
        : routes_(std::move(routes)), default_group_(std::move(default_group)) {}

    [[nodiscard]] RouteChoice choose(const Routed& message, const LoadOf& load_of,
                                     SteadyTime now) const;
    /// A message went there: the next one may go elsewhere.
    void went(const std::string& group, std::uint32_t segments, SteadyTime now);

    /// A message to this number that names no group may be in this one.
    [[nodiscard]] bool leads_to(std::string_view to, std::string_view group) const;
    /// Why a message to this number is in this group, as the configuration is now: "route +336".
    [[nodiscard]] std::string why(std::string_view to, std::string_view group) const;

private:
    [[nodiscard]] const Route* route_of(std::string_view to) const;

    const std::vector<Route> routes_;
    const std::string default_group_;
    mutable std::map<std::string, stats::DecayingRate> lately_;  // of groups that routes name
};

}  // namespace smsrack::intake
