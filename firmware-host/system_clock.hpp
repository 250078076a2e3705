/// The real time.
#pragma once

#include "src/base/clock.hpp"

namespace smsrack::host {

class SystemClock final : public Clock {
public:
    [[nodiscard]] SteadyTime steady() const override { return std::chrono::steady_clock::now(); }
    [[nodiscard]] WallTime wall() const override {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }
};

}  // namespace smsrack::host
