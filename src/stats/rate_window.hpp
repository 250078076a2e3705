/// The rate of an event per second, over the last minute.
///
/// Time:    the caller's steady time, so a test moves it.
/// Threads: one at a time.
#pragma once

#include "src/base/clock.hpp"

#include <array>
#include <cstdint>

namespace smsrack::stats {

class RateWindow {
public:
    void add(SteadyTime now, std::uint64_t count = 1) {
        move_to(now);
        counts_[place(second_)] += count;
    }

    /// Per second, over the last 60 whole seconds (fewer since the first add()).
    [[nodiscard]] double per_second(SteadyTime now) {
        move_to(now);
        std::uint64_t sum = 0;
        for (std::int64_t back = 1; back <= window_s; ++back) {
            sum += counts_[place(second_ - back)];
        }
        return static_cast<double>(sum) / static_cast<double>(window_s);
    }

private:
    static constexpr std::int64_t window_s = 60;
    static constexpr std::int64_t places = window_s + 1;  // the current second is not whole yet

    static std::size_t place(std::int64_t second) {
        return static_cast<std::size_t>(((second % places) + places) % places);
    }

    void move_to(SteadyTime now) {
        const auto second =
            std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
        if (second - second_ >= places) {
            counts_.fill(0);
            second_ = second;
        }
        while (second_ < second) {
            counts_[place(++second_)] = 0;
        }
    }

    std::array<std::uint64_t, places> counts_ = {};
    std::int64_t second_ = 0;
};

}  // namespace smsrack::stats
