/// The layout of the 512 bits of a block, and how many blocks a number of keys needs.
///
///     slots + buckets bits: for each bucket a 0 for each of its entries, then a 1
///     slots values of `width` bits, in the order of their buckets
///
/// A value is the rest of a key and one bit that says which of its two blocks this is; its bucket's number is
/// not stored. A table whose values hold the whole rest is exact, another one is a filter.
/// Unit:    bits.
/// Source:  Pandey et al.: Vector quotient filters (2021); docs/decisions/0021-filters-of-topics.md.
#pragma once

#include <cstdint>

namespace smsrack::dedup {

inline constexpr unsigned block_bits = 512;  ///< a cache line

struct BlockShape {
    unsigned buckets_log2 = 0;
    unsigned width = 0;  ///< below 64
    unsigned slots = 0;

    [[nodiscard]] constexpr unsigned buckets() const { return 1U << buckets_log2; }
    /// At most 64.
    [[nodiscard]] constexpr unsigned meta_bits() const { return slots + buckets(); }
    [[nodiscard]] constexpr bool fits() const {
        return width >= 1 && width < 64 && slots >= 1 && meta_bits() <= 64 &&
               meta_bits() + slots * width <= block_bits;
    }
    friend constexpr bool operator==(const BlockShape&, const BlockShape&) = default;
};

struct TableShape {
    BlockShape block = {};
    std::uint64_t blocks = 0;    ///< at least 2
    std::uint64_t keys_max = 0;  ///< that it takes at its best load
    unsigned key_bits = 0;       ///< every key is below 2^key_bits; at most 63
    friend constexpr bool operator==(const TableShape&, const TableShape&) = default;
};

/// Whether values hold all of a key.
[[nodiscard]] bool is_exact(const TableShape& shape);

/// The rate of false "may be held" of a table with n keys.
[[nodiscard]] double fp_rate(const TableShape& shape, std::uint64_t keys);

/// The smallest one that keeps `keys` whole.
[[nodiscard]] TableShape exact_shape(unsigned key_bits, std::uint64_t keys);

/// An exact table of n blocks, for a caller with a memory bound.
[[nodiscard]] TableShape exact_shape_of(unsigned key_bits, std::uint64_t blocks);

/// The smallest one whose rate at `keys` is at most `rate`; exact where that takes no more.
[[nodiscard]] TableShape filter_shape(unsigned key_bits, std::uint64_t keys, double rate);

}  // namespace smsrack::dedup
