/// A box's right to write into the engine of its fleet.
#pragma once

#include "src/base/box_ids.hpp"

#include <compare>

namespace smsrack::ports {

using smsrack::BoxNumber;
using smsrack::Epoch;

struct Seat {
    BoxNumber box = {};
    Epoch epoch = {};
    friend constexpr auto operator<=>(Seat, Seat) = default;
};

}  // namespace smsrack::ports
