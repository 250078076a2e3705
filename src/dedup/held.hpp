/// The answer of a set about a pair.
#pragma once

#include <cstdint>

namespace smsrack::dedup {

enum class Held : std::uint8_t {
    no,     ///< surely not
    maybe,  ///< a filter's hit: wrong at the filter's rate
    yes,    ///< surely: the whole number is kept
};

}  // namespace smsrack::dedup
