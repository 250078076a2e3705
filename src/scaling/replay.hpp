/// Runs a load trace through a policy: its decisions, and what they cost.
///
/// Unit:    node-hours; seconds of waiting (src/scaling/waiting).
#pragma once

#include "src/scaling/policy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace smsrack::scaling {

struct Costs {
    std::uint64_t changes = 0;  ///< nodes taken in or out
    double node_hours = 0;
    double wait_by_message = 0;  ///< mean over the messages
    double wait_by_time = 0;     ///< mean over the samples
    double backlog_max = 0;      ///< messages
};

struct Replay {
    std::vector<Decision> decisions = {};
    Costs costs = {};
};

/// Starts at n_min; a decision holds from the sample after it.
[[nodiscard]] Replay replay(std::span<const Sample> samples, PolicyName policy,
                            const ScalingRules& rules);

}  // namespace smsrack::scaling
