/// All counters and histograms of one service. The composition root makes them once and passes them
/// by reference.
///
/// Threads: any.
#pragma once

#include "src/stats/counters.hpp"
#include "src/stats/histogram.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace smsrack::stats {

class Stats {
public:
    Stats() : Stats(std::make_index_sequence<timing_count>{}) {}

    void add(Counter counter, std::uint64_t by = 1) noexcept { counters_.add(counter, by); }
    void observe(Timing timing, std::chrono::nanoseconds took) noexcept {
        histograms_[std::to_underlying(timing)].observe(took);
    }

    [[nodiscard]] std::uint64_t value(Counter counter) const noexcept {
        return counters_.value(counter);
    }
    [[nodiscard]] const Histogram& histogram(Timing timing) const {
        return histograms_.at(std::to_underlying(timing));
    }

private:
    template <std::size_t... Index>
    explicit Stats(std::index_sequence<Index...> /*timings*/)
        : histograms_{Histogram(timing_table()[Index].bounds)...} {}

    Counters counters_;
    std::array<Histogram, timing_count> histograms_;
};

}  // namespace smsrack::stats
