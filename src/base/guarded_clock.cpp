#include "src/base/guarded_clock.hpp"

namespace smsrack {
namespace {

using namespace std::chrono_literals;

constexpr auto small_step = 5min;  // a clock set right by hand or by NTP: nothing to wait for
/// Earlier than this program: a clock that was never set since the power came.
constexpr WallTime first_credible{std::chrono::sys_days{std::chrono::year{2024} / 1 / 1}};

}  // namespace

void GuardedClock::not_before(WallTime newest) {
    newest_ = newest;
    since_ = real_.steady();
    waits_.store(real_.wall() + small_step < newest, std::memory_order_release);
}

/// After the newest row, so that what is dated by it can be told from that row.
WallTime GuardedClock::dead_reckoning() const {
    return newest_ + 1ms + std::chrono::floor<std::chrono::milliseconds>(real_.steady() - since_);
}

std::optional<ClockMove> GuardedClock::correction() const {
    const WallTime real = real_.wall();
    const WallTime reckoned = dead_reckoning();
    const auto by = real - reckoned;
    const bool out_of_patience = real >= first_credible && real_.steady() - since_ >= patience_;
    if (by < 0ms && !out_of_patience) {
        return std::nullopt;
    }
    return ClockMove{.after = newest_, .until = reckoned, .by = by};
}

}  // namespace smsrack
