/// Tests whether arrivals are as M/M/c presumes.
///
/// The judge of counts in windows: their index of dispersion, variance over mean, is 1 for Poisson arrivals, with a standard deviation of
/// about sqrt(2 / (n - 1)) over n windows. The bounds are five of these above, three and a third below, and never nearer than 2 and 0.5: a
/// smaller difference moves the waits less than the other presumptions of the model do.
/// Source:  Cox and Lewis, The Statistical Analysis of Series of Events (1966): the dispersion test.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack::model {

enum class ArrivalPattern : std::uint8_t {
    unknown,  ///< too few windows, or arrivals
    poisson,  ///< nothing speaks against it
    bursts,   ///< messages wait longer than M/M/c predicts
    regular,  ///< messages wait shorter than M/M/c predicts
};
inline constexpr std::array<std::string_view, 4> arrival_names{"unknown", "poisson", "bursts",
                                                               "regular"};

inline constexpr std::size_t arrival_windows_min = 20;
inline constexpr std::uint64_t arrivals_min = 30;

/// `dispersion`: over this many whole windows, in which this many arrived.
[[nodiscard]] ArrivalPattern pattern_of(double dispersion, std::size_t windows,
                                        std::uint64_t arrivals);

}  // namespace smsrack::model
