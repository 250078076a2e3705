/// Pipelines accesses to many places of memory: each place is prefetched some steps before it is
/// used.
#pragma once

#include <array>
#include <cstddef>

namespace smsrack::dedup {

/// Two cache lines each: as many as a core can have on their way, and few enough that the first
/// ones are still cached.
inline constexpr std::size_t in_flight = 16;

/// use(i, begin(i)) for each i below `count`, in order; begin runs `in_flight` steps ahead.
template <typename Begun, typename Begin, typename Use>
void pipelined(std::size_t count, const Begin& begin, const Use& use) {
    std::array<Begun, in_flight> begun = {};
    for (std::size_t i = 0; i < count + in_flight; ++i) {
        Begun& place = begun[i % in_flight];
        if (i >= in_flight) {
            use(i - in_flight, place);
        }
        if (i < count) {
            place = begin(i);
        }
    }
}

}  // namespace smsrack::dedup
