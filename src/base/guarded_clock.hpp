/// The machine's clock, for boxes without a battery: it is not believed while it is older than what
/// was written already.
///
/// While it waits, wall() goes on from the newest row at the pace of the steady clock. That is never
/// later than the truth, so nothing expires, falls due or frees a quota too early; and never earlier
/// than what is on disk. Who owns the timers calls believe(), and sets right what was dated in the
/// meantime before anything else expires.
/// Threads: not_before() before there are others; all else any.
#pragma once

#include "src/base/clock.hpp"

#include <atomic>
#include <chrono>
#include <optional>

namespace smsrack {

/// What was dated after `after` and not after `until` is to be moved `by`.
struct ClockMove {
    WallTime after = {};
    WallTime until = {};
    std::chrono::milliseconds by{0};

    [[nodiscard]] bool concerns(WallTime dated) const { return after < dated && dated <= until; }
};

class GuardedClock final : public Clock {
public:
    /// `real` outlives the object. `patience`: how long a clock that goes, but is older than the
    /// newest row, is doubted; then the row was dated by a clock ahead of time.
    GuardedClock(const Clock& real, std::chrono::milliseconds patience)
        : real_(real), patience_(patience) {}

    [[nodiscard]] SteadyTime steady() const override { return real_.steady(); }
    [[nodiscard]] WallTime wall() const override {
        return waits() ? dead_reckoning() : real_.wall();
    }

    /// Begins to wait where the clock is older than `newest` by more than a small step.
    void not_before(WallTime newest);

    [[nodiscard]] bool waits() const { return waits_.load(std::memory_order_acquire); }

    /// While waiting: how what was dated so far is wrong, once the machine's clock may be believed.
    [[nodiscard]] std::optional<ClockMove> correction() const;
    void believe() { waits_.store(false, std::memory_order_release); }

private:
    [[nodiscard]] WallTime dead_reckoning() const;

    const Clock& real_;
    const std::chrono::milliseconds patience_;
    WallTime newest_ = {};
    SteadyTime since_ = {};
    std::atomic<bool> waits_ = false;
};

}  // namespace smsrack
