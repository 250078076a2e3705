/// The numbers of boxes in ids: all ids that a box gives out are in the range of its number.
///
/// So the ids of two boxes of a fleet are never the same, and those of one box still grow with time.
/// A box that never joined a fleet has the number 0, and its ids are those of before.
///
/// Unit: an id is box number * 2^53 + the box's own sequence; the highest one is 2^63 - 1.
#pragma once

#include "src/base/ids.hpp"

#include <cstdint>

namespace smsrack {

/// 1 to box_number_max; 0: none.
using BoxNumber = Id<struct BoxTag, std::int32_t>;
/// Number of a box's right to write; it grows.
using Epoch = Id<struct EpochTag, std::int64_t>;

inline constexpr std::int32_t box_number_max = 1'023;
inline constexpr int box_sequence_bits = 53;

/// Of the box that gave out this id.
template <typename Tag>
[[nodiscard]] constexpr BoxNumber number_of_box(Id<Tag, std::int64_t> id) {
    return BoxNumber{static_cast<std::int32_t>(id.value >> box_sequence_bits)};
}

/// All ids of this box are above it, and below those of the next number.
[[nodiscard]] constexpr std::int64_t before_ids_of(BoxNumber box) {
    return std::int64_t{box.value} << box_sequence_bits;
}

}  // namespace smsrack
