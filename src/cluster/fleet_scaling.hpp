/// [cluster.scaling] as the desk takes it.
#pragma once

#include "src/scaling/policy.hpp"
#include "src/scaling/rules.hpp"

#include <chrono>
#include <cstdint>

namespace smsrack::cluster {

struct FleetScaling {
    bool enabled = false;
    scaling::PolicyName policy = scaling::PolicyName::smsrack;
    /// node_rate is not read where it is learned; n_max is at most the number of boxes.
    scaling::ScalingRules rules = {.n_min = 2, .n_max = scaling::nodes_max};
    bool learn_node_rate = true;
    std::int64_t capacity = 1'000'000;  ///< messages that the store of a box may hold
    bool park_awaited = false;          ///< this box, although its SIMs await reports
    /// Recipients that have known a SIM of this box for longer do not keep it; 0: none does.
    std::chrono::days sticky{30};
    std::chrono::seconds wake_within{300};
};

}  // namespace smsrack::cluster
