/// A ring of the newest samples, each with its time. It forgets the oldest.
///
/// Threads: one at a time.
#pragma once

#include "src/base/clock.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace smsrack::overload {

template <typename Value, std::size_t places>
class RecentSamples {
public:
    struct Sample {
        SteadyTime at = {};
        Value value = {};
    };

    static constexpr std::size_t size_max = places;

    void add(SteadyTime at, Value value) { ring_[count_++ % places] = {at, value}; }

    [[nodiscard]] std::size_t size() const { return std::min(count_, places); }
    /// 0 is the newest. Only below size().
    [[nodiscard]] const Sample& back(std::size_t age) const {
        return ring_[(count_ - 1 - age) % places];
    }

private:
    std::array<Sample, places> ring_ = {};
    std::size_t count_ = 0;  // ever
};

}  // namespace smsrack::overload
