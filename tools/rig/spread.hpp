/// Summarises many measurements: median, tail and maximum.
///
/// Unit:    that of the samples.
#pragma once

#include <cstddef>
#include <vector>

namespace smsrack::rig {

struct Spread {
    std::size_t count = 0;
    double mean = 0;
    double p50 = 0;
    double p99 = 0;
    double max = 0;
};

/// The smallest sample that at least this share (0..1) of all does not exceed: the nearest rank, so
/// always one that was measured. `sorted` rises and is not empty.
[[nodiscard]] double percentile(const std::vector<double>& sorted, double share);

/// All 0 where there are no samples.
[[nodiscard]] Spread spread_of(std::vector<double> samples);

}  // namespace smsrack::rig
