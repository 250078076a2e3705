/// One sample of the rack's load.
///
/// Unit:    messages per second for the whole rack; fractions 0..1.
/// Source:  [Elastic] CPU_i, s_i, f_i, e_i; means over the nodes in production.
#pragma once

#include <cstdint>
#include <optional>

namespace smsrack::scaling {

struct Sample {
    double load = 0;                       ///< flow of the rack; each node has its even part
    std::optional<double> cpu = {};        ///< mean utilisation; absent: load / (n * F)
    std::optional<double> occupancy = {};  ///< of the message store; absent: fires no rule
    std::optional<double> forecast = {};   ///< flow expected for the rack; absent: fires no rule
    std::uint32_t crashed = 0;             ///< nodes that are down in this sample
};

}  // namespace smsrack::scaling
