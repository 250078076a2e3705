/// Synthetic loads on which the two scaling policies are compared.
///
/// Unit:    messages per second for the whole rack; 12,000 is a province's peak.
/// Source:  [Elastic]: the published steps; a night at 3 % of the peak; holidays of 10 times the mean.
#pragma once

#include "src/base/random.hpp"
#include "src/scaling/rules.hpp"
#include "src/scaling/sample.hpp"

#include <string>
#include <vector>

namespace smsrack::bench {

struct NamedTrace {
    std::string name = {};
    std::vector<scaling::Sample> samples = {};
};

/// The published steps, a day, a holiday, a noisy day, a crash at the peak.
[[nodiscard]] std::vector<NamedTrace> published_traces(const scaling::ScalingRules& rules);

/// A day of chance: some rises and falls of any height and steepness, noise, perhaps crashes; it ends
/// at night, as days do.
[[nodiscard]] std::vector<scaling::Sample> random_day(const scaling::ScalingRules& rules,
                                                      Random& random);

}  // namespace smsrack::bench
