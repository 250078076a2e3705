/// How long a line's link has been lost, and how long switching its radio on takes.
///
/// Time:    steady.
/// Threads: the line's thread.
/// Source:  [EBAS] listener: a link that stays pending for longer than the disconnect timer stops.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace smsrack::line {

class LineLink {
public:
    explicit LineLink(std::chrono::milliseconds disconnect) : disconnect_(disconnect) {}

    void lost(SteadyTime now) { stop_at_ = stop_at_ == never ? now + disconnect_ : stop_at_; }
    /// Its radio is off because that was wanted.
    void asleep() { stop_at_ = never; }
    void wakes(SteadyTime now) { woken_at_ = now; }
    [[nodiscard]] bool is_waking() const { return woken_at_.has_value(); }
    /// Returns how long that took, where its radio was being switched on.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> ready(SteadyTime now) {
        stop_at_ = never;
        const auto since = std::exchange(woken_at_, std::nullopt);
        return since ? std::optional<std::chrono::nanoseconds>(now - *since) : std::nullopt;
    }

    /// True: it has been lost for too long. Once for each loss.
    [[nodiscard]] bool stops(SteadyTime now) {
        const bool is_late = now >= stop_at_;
        stop_at_ = is_late ? never : stop_at_;
        return is_late;
    }
    [[nodiscard]] SteadyTime stop_at() const { return stop_at_; }

private:
    const std::chrono::milliseconds disconnect_;
    SteadyTime stop_at_ = never;          // the link is pending until then
    std::optional<SteadyTime> woken_at_;  // since when its radio is being switched on
};

}  // namespace smsrack::line
