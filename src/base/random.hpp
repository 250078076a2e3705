/// The source of randomness as an interface that is passed by reference, so that a run repeats from
/// its seed.
#pragma once

#include <concepts>
#include <cstdint>

namespace smsrack {

class Random {
public:
    Random() = default;
    Random(const Random&) = delete;
    Random& operator=(const Random&) = delete;
    virtual ~Random() = default;

    /// 64 evenly distributed bits.
    [[nodiscard]] virtual std::uint64_t next() = 0;

    /// Even in [0, bound); bound at least 1.
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return next() % bound; }
    template <std::unsigned_integral T>  // std::size_t, where it has 32 bits
    [[nodiscard]] T below(T bound) {
        return static_cast<T>(next() % bound);
    }
};

}  // namespace smsrack
