/// The recent rate per second: a sum that fades, so that a change shows within seconds.
///
/// Time:    the caller's steady time.
/// Threads: one at a time.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/members.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace smsrack::stats {

class DecayingRate {
public:
    static constexpr double memory_s = 8;

    void add(SteadyTime now, double amount) {
        fade(now);
        sum_ += amount;
    }
    /// Since the first add(); less than two seconds are taken for two.
    [[nodiscard]] double per_second(SteadyTime now) {
        fade(now);
        return sum_ / std::max(seen_s_, 2.0);
    }

    /// As one run of the service leaves it to the next.
    struct Carried {
        SteadyTime at = {};
        double sum = 0;
        double seen_s = 0;
        SMSRACK_MEMBERS(at, sum, seen_s);
    };
    [[nodiscard]] Carried carried() const { return {.at = at_, .sum = sum_, .seen_s = seen_s_}; }
    void adopt(const Carried& left) {
        at_ = left.at;
        sum_ = std::max(0.0, left.sum);
        seen_s_ = std::clamp(left.seen_s, 0.0, memory_s);
    }

private:
    void fade(SteadyTime now) {
        if (sum_ == 0) {  // nothing yet, or nothing any more
            seen_s_ = 0;
        } else if (now > at_) {
            const double kept =
                std::exp(-std::chrono::duration<double>(now - at_).count() / memory_s);
            constexpr double nothing = 1e-9;
            sum_ = sum_ * kept < nothing ? 0 : sum_ * kept;
            seen_s_ = memory_s - (memory_s - seen_s_) * kept;
        }
        at_ = std::max(at_, now);
    }

    SteadyTime at_ = {};
    double sum_ = 0;
    double seen_s_ = 0;  // the weight of the time that was looked at, up to memory_s
};

}  // namespace smsrack::stats
