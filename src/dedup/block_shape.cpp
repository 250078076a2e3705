#include "src/dedup/block_shape.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace smsrack::dedup {
namespace {

/// With two choices 0.01 % of the keys of a filter and 0.2 % of an exact table then find both blocks full
/// (tests/src/dedup/block_table_test.cpp); more load would make the spill larger than what it saves.
constexpr double filter_load = 0.95;
constexpr double exact_load = 0.93;
constexpr std::array<unsigned, 3> buckets_log2{3, 4, 5};

unsigned slots_of(unsigned log2, unsigned width) {
    const unsigned buckets = 1U << log2;
    return std::min((block_bits - buckets) / (width + 1), 64 - buckets);
}

std::uint64_t keys_of(std::uint64_t blocks, unsigned slots, double load) {
    return static_cast<std::uint64_t>(static_cast<double>(blocks * slots) * load);
}

std::uint64_t blocks_for(std::uint64_t keys, unsigned slots, double load) {
    const double blocks = std::ceil(static_cast<double>(keys) / (slots * load));
    return std::max<std::uint64_t>(2, static_cast<std::uint64_t>(blocks));
}

/// Of what is left of a key when its block is known.
unsigned rest_bits(unsigned key_bits, std::uint64_t blocks) {
    return static_cast<unsigned>(std::bit_width(((std::uint64_t{1} << key_bits) - 1) / blocks));
}

}  // namespace

bool is_exact(const TableShape& shape) {
    return shape.block.width - 1 + shape.block.buckets_log2 >=
           rest_bits(shape.key_bits, shape.blocks);
}

double fp_rate(const TableShape& shape, std::uint64_t keys) {
    if (is_exact(shape)) {
        return 0;
    }
    const double in_a_bucket =
        static_cast<double>(keys) / (static_cast<double>(shape.blocks) * shape.block.buckets());
    return std::min(1.0, std::ldexp(in_a_bucket, 1 - static_cast<int>(shape.block.width)));
}

TableShape exact_shape_of(unsigned key_bits, std::uint64_t blocks) {
    TableShape best;
    for (const unsigned log2 : buckets_log2) {
        const unsigned rest = std::max(rest_bits(key_bits, blocks), log2);
        const BlockShape block{.buckets_log2 = log2,
                               .width = rest - log2 + 1,
                               .slots = slots_of(log2, rest - log2 + 1)};
        if (block.slots > best.block.slots) {
            best = {.block = block,
                    .blocks = blocks,
                    .keys_max = keys_of(blocks, block.slots, exact_load),
                    .key_bits = key_bits};
        }
    }
    return best;
}

TableShape exact_shape(unsigned key_bits, std::uint64_t keys) {
    // Fewer blocks leave longer rests, so fewer slots: the first number that is enough is found by halving.
    std::uint64_t low = 2;
    std::uint64_t high = std::max<std::uint64_t>(2, keys);
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (exact_shape_of(key_bits, middle).keys_max >= keys) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return exact_shape_of(key_bits, low);
}

TableShape filter_shape(unsigned key_bits, std::uint64_t keys, double rate) {
    TableShape best = exact_shape(key_bits, keys);
    for (const unsigned log2 : buckets_log2) {
        for (unsigned width = 2; width < 48; ++width) {
            const BlockShape block{
                .buckets_log2 = log2, .width = width, .slots = slots_of(log2, width)};
            const std::uint64_t blocks = blocks_for(keys, block.slots, filter_load);
            const TableShape shape{.block = block,
                                   .blocks = blocks,
                                   .keys_max = keys_of(blocks, block.slots, filter_load),
                                   .key_bits = key_bits};
            if (block.fits() && fp_rate(shape, keys) <= rate && shape.blocks < best.blocks) {
                best = shape;
                break;
            }
        }
    }
    return best;
}

}  // namespace smsrack::dedup
