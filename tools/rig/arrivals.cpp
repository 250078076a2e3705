#include "tools/rig/arrivals.hpp"

#include <cmath>

namespace smsrack::rig {
namespace {

std::chrono::nanoseconds from_seconds(double seconds) {
    return std::chrono::nanoseconds(std::llround(seconds * 1e9));
}

}  // namespace

Arrivals even_arrivals(double per_second, std::size_t count) {
    Arrivals all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        all.push_back(from_seconds(static_cast<double>(i) / per_second));
    }
    return all;
}

Arrivals random_arrivals(double per_second, std::size_t count, Random& random) {
    Arrivals all;
    all.reserve(count);
    double at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double even = static_cast<double>(random.next() >> 11U) * 0x1p-53;
        at += -std::log1p(-even) / per_second;
        all.push_back(from_seconds(at));
    }
    return all;
}

}  // namespace smsrack::rig
