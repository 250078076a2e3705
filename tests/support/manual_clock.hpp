/// A clock that moves only when the test says so.
#pragma once

#include "src/base/clock.hpp"

namespace smsrack::test {

class ManualClock final : public Clock {
public:
    [[nodiscard]] SteadyTime steady() const override { return steady_; }
    [[nodiscard]] WallTime wall() const override {
        return date_ + std::chrono::floor<std::chrono::milliseconds>(since_boot() - dated_);
    }
    [[nodiscard]] std::chrono::nanoseconds since_boot() const override {
        return steady_.time_since_epoch() + suspended_;
    }

    void advance(std::chrono::steady_clock::duration by) { steady_ += by; }
    void advance_to(SteadyTime to) { steady_ = to; }
    void set_date(WallTime date) {
        date_ = date;
        dated_ = since_boot();
    }
    /// The machine is suspended for this long: its steady clock stops.
    void suspend(std::chrono::nanoseconds length) { suspended_ += length; }

private:
    SteadyTime steady_ = SteadyTime{} + std::chrono::hours(1);
    std::chrono::nanoseconds suspended_{0};
    std::chrono::nanoseconds dated_ = since_boot();  // when the date was set
    WallTime date_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
};

}  // namespace smsrack::test
