/// Random real numbers.
#pragma once

#include "src/base/random.hpp"

#include <cmath>

namespace smsrack::modem_sim {

/// Even in [0, 1).
[[nodiscard]] inline double even(Random& random) {
    return static_cast<double>(random.next() >> 11U) * 0x1p-53;
}

/// Exponential with mean 1.
[[nodiscard]] inline double exponential(Random& random) {
    return -std::log1p(-even(random));
}

}  // namespace smsrack::modem_sim
