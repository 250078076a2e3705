/// Random numbers that repeat from their seed: Steele, Lea and Flood's SplitMix64.
#pragma once

#include "src/base/random.hpp"

#include <cstdint>

namespace smsrack::modem_sim {

class SplitMix final : public Random {
public:
    explicit SplitMix(std::uint64_t seed) : state_(seed) {}

    [[nodiscard]] std::uint64_t next() override {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

private:
    std::uint64_t state_;
};

}  // namespace smsrack::modem_sim
