/// When requests are due, computed before the run. In an open loop no client waits for answers, and
/// the latency of a late request counts from when it was due.
///
/// Unit:    times since the start of the run, rising.
#pragma once

#include "src/base/random.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

namespace smsrack::rig {

using Arrivals = std::vector<std::chrono::nanoseconds>;

/// `per_second` (above 0) in equal steps, the first at once.
[[nodiscard]] Arrivals even_arrivals(double per_second, std::size_t count);

/// Poisson: the gaps are exponential with mean 1/`per_second`.
[[nodiscard]] Arrivals random_arrivals(double per_second, std::size_t count, Random& random);

}  // namespace smsrack::rig
