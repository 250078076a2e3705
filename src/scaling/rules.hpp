/// The settings of the scaling controller: how it samples, and what counts as idle and as busy.
///
/// Unit:    nodes; messages per second; fractions 0..1.
/// Source:  [Elastic]; a node is what carries load: a modem line, or in a cluster a rack.
#pragma once

#include "src/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace smsrack::scaling {

struct ScalingRules {
    std::uint32_t n_min = 3;
    std::uint32_t n_max = 8;
    std::size_t samples = 20;  ///< m: one decision window, samples_min .. samples_max
    std::chrono::milliseconds period{30'000};  ///< between two samples
    double idle = 0.1;                         ///< a
    double busy = 0.7;                         ///< b
    double node_rate = 3'000;                  ///< F: what one node carries
};

inline constexpr std::size_t samples_min = 10;
inline constexpr std::size_t samples_max = 100;
inline constexpr std::uint32_t nodes_max = 1'024;

/// bad_request: which value is out of its range.
[[nodiscard]] Result<> check(const ScalingRules& rules);

/// `value` > `bound`, where equal stays equal although 0.7 * 3000 can't be said exactly in binary.
[[nodiscard]] constexpr bool above(double value, double bound) {
    constexpr double rounding = 1e-9;
    return value - bound > rounding * (bound < 0 ? -bound : bound);
}

}  // namespace smsrack::scaling
