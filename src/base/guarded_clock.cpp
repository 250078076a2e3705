#include "src/base/guarded_clock.hpp"

namespace smsrack {
namespace {

using namespace std::chrono_literals;

constexpr auto small_step = 5min;    // of a start: a clock set right by hand or by NTP
constexpr auto drift_least = 100ms;  // what is less need not be written down
constexpr auto one_look = 100ms;     // at both clocks: it did not stand still between them
/// Earlier than this program: a clock that was never set since the power came.
constexpr WallTime first_credible{std::chrono::sys_days{std::chrono::year{2024} / 1 / 1}};

std::int64_t offset_of(WallTime wall, SteadyTime steady) {
    const std::chrono::nanoseconds offset = wall.time_since_epoch() - steady.time_since_epoch();
    return offset.count();
}

WallTime at(SteadyTime steady, std::int64_t offset) {
    return WallTime(std::chrono::floor<std::chrono::milliseconds>(
        steady.time_since_epoch() + std::chrono::nanoseconds(offset)));
}

}  // namespace

/// The steady clock of Linux counts from the boot: what an earlier process of it dated has this clock's time too.
GuardedClock::GuardedClock(const Clock& real, std::chrono::milliseconds patience)
    : real_(real), patience_(patience) {
    const SteadyTime steady = real.steady();
    reckon_from(real.wall(), steady);
    dated_since_ = reckoned(SteadyTime{});
}

WallTime GuardedClock::reckoned(SteadyTime now) const {
    return at(now, offset_.load(std::memory_order_relaxed));
}

void GuardedClock::reckon_from(WallTime wall, SteadyTime now) {
    offset_.store(offset_of(wall, now), std::memory_order_relaxed);
}

WallTime GuardedClock::wall() const {
    std::int64_t offset = offset_.load(std::memory_order_relaxed);
    const SteadyTime steady = real_.steady();
    const WallTime expected = at(steady, offset);
    if (waits()) {
        return expected;
    }
    const WallTime real = real_.wall();
    const auto by = std::chrono::abs(real - expected);
    if (by >= clock_step_least) {
        return expected;
    }
    if (by >= drift_least && real_.steady() - steady < one_look) {
        // Not where somebody has believed another time meanwhile.
        offset_.compare_exchange_strong(offset, offset_of(real, steady), std::memory_order_relaxed);
    }
    return real;
}

/// After the newest row, so that what is dated by it can be told from that row.
void GuardedClock::not_before(WallTime newest) {
    since_ = real_.steady();
    if (real_.wall() + small_step >= newest) {
        return;
    }
    dated_since_ = newest + 1ms;
    reckon_from(dated_since_, since_);
    waits_.store(true, std::memory_order_release);
}

std::optional<ClockMove> GuardedClock::correction() const {
    const SteadyTime steady = real_.steady();
    const WallTime real = real_.wall();
    const WallTime expected = reckoned(steady);
    const auto by = real - expected;
    if (waits()) {
        const bool out_of_patience = real >= first_credible && steady - since_ >= patience_;
        if (by < 0ms && !out_of_patience) {
            return std::nullopt;
        }
    } else if (std::chrono::abs(by) < clock_step_least || real_.steady() - steady >= one_look) {
        return std::nullopt;  // or the machine stood still between its clocks
    }
    return ClockMove{.after = dated_since_ - 1ms, .until = expected, .by = by};
}

void GuardedClock::believe(const ClockMove& correction) {
    dated_since_ += correction.by;
    const std::chrono::nanoseconds by = correction.by;
    offset_.fetch_add(by.count(), std::memory_order_relaxed);
    waits_.store(false, std::memory_order_release);
}

}  // namespace smsrack
