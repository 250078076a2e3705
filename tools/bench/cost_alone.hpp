/// What messages cost that come one at a time, each step by itself.
///
/// Two looks at the service divide the time of a message into steps, because the modem's service
/// time is known. What a look costs the service belongs to no step.
/// Unit:    sums over all messages.
#pragma once

#include "tools/bench/questions.hpp"
#include "tools/rig/service_cost.hpp"

#include <cstddef>

namespace smsrack::bench {

struct AloneCost {
    rig::ServiceCost accept = {};            ///< into a rack that is paused
    rig::ServiceCost accept_and_begin = {};  ///< into a rack with free lines
    rig::ServiceCost end = {};
    rig::ServiceCost report = {};
    rig::ServiceCost inbound = {};
};

[[nodiscard]] Result<AloneCost> measure_alone(const Context& context, std::size_t messages);

}  // namespace smsrack::bench
