/// The machine's clock, and the time that a test has added to it.
///
/// Threads: any.
#pragma once

#include "firmware-host/process/system_clock.hpp"

#include <atomic>
#include <chrono>

namespace smsrack::test {

class AheadClock final : public Clock {
public:
    [[nodiscard]] SteadyTime steady() const override { return machine_.steady() + ahead_.load(); }
    [[nodiscard]] WallTime wall() const override { return machine_.wall() + ahead_.load(); }

    void advance(std::chrono::milliseconds by) { ahead_ = ahead_.load() + by; }

private:
    host::SystemClock machine_;
    std::atomic<std::chrono::milliseconds> ahead_{std::chrono::milliseconds(0)};
};

}  // namespace smsrack::test
