/// The clock of this program; it is passed to the commands, like everything else that they use.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>

namespace smsrack::cli {

class RealClock final : public Clock {
public:
    [[nodiscard]] SteadyTime steady() const override { return std::chrono::steady_clock::now(); }
    [[nodiscard]] WallTime wall() const override {
        return std::chrono::time_point_cast<WallTime::duration>(std::chrono::system_clock::now());
    }
};

}  // namespace smsrack::cli
