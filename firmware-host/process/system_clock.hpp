/// The machine's clock.
#pragma once

#include "src/base/check.hpp"
#include "src/base/clock.hpp"

#include <chrono>
#include <ctime>

namespace smsrack::host {

class SystemClock final : public Clock {
public:
    [[nodiscard]] SteadyTime steady() const override { return std::chrono::steady_clock::now(); }
    [[nodiscard]] WallTime wall() const override {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }
    [[nodiscard]] std::chrono::nanoseconds since_boot() const override {
        timespec now{};
        SMSRACK_CHECK(::clock_gettime(CLOCK_BOOTTIME, &now) == 0);
        return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
    }
};

}  // namespace smsrack::host
