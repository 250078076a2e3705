/// Priority levels of [NSB]: 0 is the lowest, 6 the highest.
#pragma once

#include <cstddef>
#include <cstdint>

namespace smsrack {

inline constexpr std::size_t level_count = 7;
using Level = std::uint8_t;  ///< 0 .. level_count - 1
inline constexpr Level level_max = level_count - 1;

}  // namespace smsrack
