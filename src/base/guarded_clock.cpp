#include "src/base/guarded_clock.hpp"

#include <algorithm>

namespace smsrack {
namespace {

using namespace std::chrono_literals;

constexpr auto small_step = 5min;    // of a start: a clock set by the operator or by NTP
constexpr auto drift_least = 100ms;  // what is less need not be written down
constexpr auto one_look = 100ms;     // at both clocks: it did not stand still between them
/// Earlier than this program: a clock that was never set since the power came.
constexpr WallTime first_credible{std::chrono::sys_days{std::chrono::year{2024} / 1 / 1}};

using std::chrono::nanoseconds;

std::int64_t offset_of(WallTime wall, nanoseconds since_boot) {
    return (nanoseconds(wall.time_since_epoch()) - since_boot).count();
}

WallTime at(nanoseconds since_boot, std::int64_t offset) {
    return WallTime(
        std::chrono::floor<std::chrono::milliseconds>(since_boot + nanoseconds(offset)));
}

}  // namespace

/// since_boot() is of the machine: what an earlier process of this boot dated has this clock's time too.
GuardedClock::GuardedClock(const Clock& real, std::chrono::milliseconds patience)
    : real_(real), patience_(patience) {
    const nanoseconds now = real.since_boot();
    reckon_from(real.wall(), now);
    dated_since_ = reckoned(0ns);
}

WallTime GuardedClock::reckoned(nanoseconds since_boot) const {
    return at(since_boot, offset_.load(std::memory_order_relaxed));
}

void GuardedClock::reckon_from(WallTime wall, nanoseconds since_boot) {
    offset_.store(offset_of(wall, since_boot), std::memory_order_relaxed);
}

WallTime GuardedClock::wall() const {
    std::int64_t offset = offset_.load(std::memory_order_relaxed);
    const nanoseconds now = real_.since_boot();
    const WallTime expected = at(now, offset);
    if (waits()) {
        return expected;
    }
    const WallTime real = real_.wall();
    const auto by = std::chrono::abs(real - expected);
    if (by >= clock_step_least) {
        return expected;
    }
    if (by >= drift_least && real_.since_boot() - now < one_look) {
        // Not if another time was accepted meanwhile.
        const std::int64_t step = offset_of(real, now) - offset;
        if (offset_.compare_exchange_strong(offset, offset + step, std::memory_order_relaxed)) {
            followed_.fetch_add(step, std::memory_order_relaxed);
        }
    }
    return real;
}

WallTime GuardedClock::latest_wall() const {
    const WallTime believed = wall();
    return waits() ? believed : std::max(believed, real_.wall());
}

/// After the newest row, so that times taken from it differ from that row's.
void GuardedClock::not_before(WallTime newest, const std::optional<Reckoning>& earlier) {
    since_ = real_.since_boot();
    if (earlier && at(since_, earlier->offset.count()) + small_step >= newest) {
        dated_since_ = earlier->dated_since;
        offset_.store(earlier->offset.count(), std::memory_order_relaxed);
        waits_.store(earlier->waits, std::memory_order_release);
        return;
    }
    if (real_.wall() + small_step >= newest) {
        return;
    }
    dated_since_ = newest + 1ms;
    reckon_from(dated_since_, since_);
    waits_.store(true, std::memory_order_release);
}

Reckoning GuardedClock::reckoning() const {
    return {.offset = nanoseconds(offset_.load(std::memory_order_relaxed)),
            .dated_since = dated_since_,
            .waits = waits()};
}

/// While it waits the clock is known to be wrong, and a step of it is its being set. Else a step forward may be a pause.
std::optional<ClockMove> GuardedClock::correction() const {
    const nanoseconds now = real_.since_boot();
    const WallTime real = real_.wall();
    const WallTime expected = reckoned(now);
    const auto by = real - expected;
    const bool doubted = waits();
    if (doubted) {
        const bool out_of_patience = real >= first_credible && now - since_ >= patience_;
        if (by < 0ms && !out_of_patience) {
            return std::nullopt;
        }
    } else if (std::chrono::abs(by) < clock_step_least || real_.since_boot() - now >= one_look) {
        return std::nullopt;  // or the machine paused between its clocks
    }
    return ClockMove{.after = dated_since_ - 1ms,
                     .until = expected,
                     .by = by,
                     .may_be_pause = !doubted && by > 0ms};
}

void GuardedClock::believe(const ClockMove& correction) {
    dated_since_ += correction.by;
    const std::chrono::nanoseconds by = correction.by;
    offset_.fetch_add(by.count(), std::memory_order_relaxed);
    waits_.store(false, std::memory_order_release);
}

}  // namespace smsrack
