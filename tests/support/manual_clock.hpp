/// Time that moves only when the test says so.
#pragma once

#include "src/base/clock.hpp"

namespace smsrack::test {

class ManualClock final : public Clock {
public:
    [[nodiscard]] SteadyTime steady() const override { return steady_; }
    [[nodiscard]] WallTime wall() const override { return wall_; }

    void advance(std::chrono::steady_clock::duration by) {
        steady_ += by;
        wall_ += std::chrono::duration_cast<std::chrono::milliseconds>(by);
    }
    void advance_to(SteadyTime to) { advance(to - steady_); }
    void set_date(WallTime date) { wall_ = date; }

private:
    SteadyTime steady_ = SteadyTime{} + std::chrono::hours(1);
    WallTime wall_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
};

}  // namespace smsrack::test
