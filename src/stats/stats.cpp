#include "src/stats/stats.hpp"

namespace smsrack::stats {
namespace {

template <std::size_t... Index>
std::array<Histogram, timing_count> make_histograms(std::index_sequence<Index...>) {
    return {Histogram(timing_table()[Index].bounds)...};
}

}  // namespace

Stats::Stats() : histograms_(make_histograms(std::make_index_sequence<timing_count>{})) {}

}  // namespace smsrack::stats
