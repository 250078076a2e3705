/// Index of dispersion for counts: variance over mean of the arrivals in windows of one length.
///
/// 1 for Poisson arrivals, which M/M/c presumes; above where they come in bursts, below where they are more regular.
/// Unit:    none. Of n windows of Poisson arrivals the index is 1 with a standard deviation of about sqrt(2 / n).
/// Time:    the caller's steady time, so a test moves it. The first window begins with the first
///          call.
/// Threads: one at a time.
/// Bound:   `windows` counts.
/// Source:  Cox and Lewis, The Statistical Analysis of Series of Events (1966).
#pragma once

#include "src/base/clock.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace smsrack::stats {

class DispersionWindow {
public:
    /// About the time of one submit: bursts within that are what makes messages wait.
    static constexpr std::chrono::seconds length{10};
    static constexpr std::size_t windows = 60;

    void add(SteadyTime now, std::uint64_t count) {
        move_to(now);
        current_ += count;
    }

    struct Figures {
        std::size_t windows = 0;     ///< whole ones
        std::uint64_t arrivals = 0;  ///< within these
        double index = 0;            ///< 0 where nothing arrived
    };
    /// Over the last whole windows.
    [[nodiscard]] Figures look(SteadyTime now) {
        move_to(now);
        Figures figures{.windows = whole_};
        double squares = 0;
        for (std::size_t i = 0; i < whole_; ++i) {
            figures.arrivals += counts_.at(i);
            squares += static_cast<double>(counts_.at(i)) * static_cast<double>(counts_.at(i));
        }
        const auto n = static_cast<double>(whole_);
        const auto sum = static_cast<double>(figures.arrivals);
        if (whole_ > 1 && sum > 0) {
            figures.index = (squares - sum * sum / n) / (n - 1) / (sum / n);
        }
        return figures;
    }

private:
    void move_to(SteadyTime now) {
        if (!began_) {
            began_ = now;
        }
        if (now - *began_ >= length * static_cast<std::int64_t>(windows + 1)) {
            counts_.fill(0);  // a long sleep: nothing came
            whole_ = windows;
            current_ = 0;
            began_ = now;
        }
        while (now - *began_ >= length) {
            counts_.at(next_) = current_;
            next_ = (next_ + 1) % windows;
            whole_ = whole_ < windows ? whole_ + 1 : whole_;
            current_ = 0;
            *began_ += length;
        }
    }

    std::optional<SteadyTime> began_ = {};  // the current window
    std::array<std::uint64_t, windows> counts_ = {};
    std::size_t next_ = 0;
    std::size_t whole_ = 0;
    std::uint64_t current_ = 0;
};

}  // namespace smsrack::stats
