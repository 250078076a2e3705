/// Computes the upper half of a 64-bit by 64-bit product.
///
/// Threads: any.
#pragma once

#include <cstdint>

namespace smsrack {

/// For processors without a 128-bit product: by halves, as in long multiplication.
[[nodiscard]] constexpr std::uint64_t high_product_by_halves(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t half = 0xFFFF'FFFFU;
    const std::uint64_t low = (a & half) * (b & half);
    const std::uint64_t left = (a >> 32U) * (b & half) + (low >> 32U);
    const std::uint64_t right = (a & half) * (b >> 32U) + (left & half);
    return (a >> 32U) * (b >> 32U) + (left >> 32U) + (right >> 32U);
}

[[nodiscard]] constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64U);
#else
    return high_product_by_halves(a, b);
#endif
}

}  // namespace smsrack
