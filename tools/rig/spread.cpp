#include "tools/rig/spread.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace smsrack::rig {

double percentile(const std::vector<double>& sorted, double share) {
    SMSRACK_CHECK(!sorted.empty());
    const double rank = std::ceil(share * static_cast<double>(sorted.size()));
    const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
    return sorted[std::min(index, sorted.size() - 1)];
}

Spread spread_of(std::vector<double> samples) {
    if (samples.empty()) {
        return {};
    }
    std::ranges::sort(samples);
    const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
    return {.count = samples.size(),
            .mean = sum / static_cast<double>(samples.size()),
            .p50 = percentile(samples, 0.5),
            .p99 = percentile(samples, 0.99),
            .max = samples.back()};
}

}  // namespace smsrack::rig
