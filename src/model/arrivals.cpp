#include "src/model/arrivals.hpp"

#include <cmath>

namespace smsrack::model {
namespace {

constexpr double bursts_above = 2;
constexpr double regular_below = 0.5;
// Chance alone exceeds that about once in 100,000 full sets of windows.
constexpr double deviations_above = 5;
constexpr double deviations_below = 3.33;  // the distribution is steeper there

}  // namespace

ArrivalPattern pattern_of(double dispersion, std::size_t windows, std::uint64_t arrivals) {
    if (windows < arrival_windows_min || arrivals < arrivals_min) {
        return ArrivalPattern::unknown;
    }
    const double deviation = std::sqrt(2 / static_cast<double>(windows - 1));
    if (dispersion > bursts_above && dispersion > 1 + deviations_above * deviation) {
        return ArrivalPattern::bursts;
    }
    if (dispersion < regular_below && dispersion < 1 - deviations_below * deviation) {
        return ArrivalPattern::regular;
    }
    return ArrivalPattern::poisson;
}

}  // namespace smsrack::model
