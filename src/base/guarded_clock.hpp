/// The machine's clock, shown to the rest of the service only while it can be trusted.
///
/// Two things make it wait. For boxes without a battery: it is older than what was written already.
/// And while the process runs: it was set, by NTP or by the operator. Until its owner calls
/// believe(), wall() continues at the pace of the steady clock: from the newest row in the first
/// case, which is never later than the truth, so nothing expires, falls due or frees a quota too
/// early; and as it went before in the second. So no reader gets a time that contradicts recorded
/// times.
///
/// An earlier process of the same boot leaves its Reckoning in the store. The clock continues from it,
/// so a clock that was set between the two processes is found and corrected like one that is set now.
///
/// A suspend is neither: the time has passed, as since_boot() shows, so wall() has it at once. A VM
/// that was paused looks like a clock that was set forward: ClockMove::may_be_pause says that the
/// two can't be distinguished.
///
/// The owner of the timers asks for the correction(), orders recorded times to be moved, and then
/// calls believe().
/// Threads: not_before() before there are others; correction() and believe() by one; all else any.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/clock_move.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace smsrack {

/// How rows were dated: the wall clock against the time since boot. Valid until the next boot.
struct Reckoning {
    std::chrono::nanoseconds offset{0};  ///< wall clock less time since boot
    WallTime dated_since = {};           ///< rows from here on were dated by this reckoning
    bool waits = false;                  ///< the clock was not trusted

    /// The same after this move.
    [[nodiscard]] Reckoning moved(std::chrono::milliseconds by) const {
        return {.offset = offset + by, .dated_since = dated_since + by, .waits = false};
    }
    friend bool operator==(const Reckoning&, const Reckoning&) = default;
};

class GuardedClock final : public Clock {
public:
    /// `real` outlives the object. `patience`: how long a clock that goes, but is older than the
    /// newest row, is doubted; then the row was dated by a clock ahead of time.
    GuardedClock(const Clock& real, std::chrono::milliseconds patience);

    [[nodiscard]] SteadyTime steady() const override { return real_.steady(); }
    [[nodiscard]] WallTime wall() const override;
    [[nodiscard]] std::chrono::nanoseconds since_boot() const override {
        return real_.since_boot();
    }
    [[nodiscard]] WallTime latest_wall() const override;

    /// Continues from `earlier`, of a process of this boot, unless `newest` is later than it allows.
    /// Otherwise begins to wait where the clock is older than `newest` by more than a small step.
    void not_before(WallTime newest, const std::optional<Reckoning>& earlier = {});

    /// Not while believe() is called.
    [[nodiscard]] Reckoning reckoning() const;
    /// The sum of the small steps that wall() has followed. The reckoning changes by it, and by what
    /// is believed.
    [[nodiscard]] std::chrono::nanoseconds followed() const {
        return std::chrono::nanoseconds(followed_.load(std::memory_order_relaxed));
    }

    /// Since not_before(). A clock that was set is not waited for: its correction is there at once.
    [[nodiscard]] bool waits() const { return waits_.load(std::memory_order_acquire); }

    /// How what was dated so far is wrong, where the machine's clock is another one that may be believed.
    [[nodiscard]] std::optional<ClockMove> correction() const;
    void believe(const ClockMove& correction);

private:
    [[nodiscard]] WallTime reckoned(std::chrono::nanoseconds since_boot) const;
    void reckon_from(WallTime wall, std::chrono::nanoseconds since_boot);

    const Clock& real_;
    const std::chrono::milliseconds patience_;
    std::chrono::nanoseconds since_{0};  // the boot, when it began to wait
    WallTime dated_since_ = {};          // by the clock as it goes now: the boot, or the newest row
    std::atomic<bool> waits_ = false;
    // Wall against since_boot(), ns: followed until the clock is set.
    mutable std::atomic<std::int64_t> offset_ = 0;
    mutable std::atomic<std::int64_t> followed_ = 0;  // ns
};

}  // namespace smsrack
