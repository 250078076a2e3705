#include "src/dedup/block_shape.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace smsrack::dedup {
namespace {

double bits_a_key(const TableShape& shape, std::uint64_t keys) {
    return static_cast<double>(shape.blocks * block_bits) / static_cast<double>(keys);
}

}  // namespace

TEST_CASE("filter_shape: keeps the rate asked for, in few bits a key") {
    struct Row {
        std::uint64_t keys;
        double rate;
        double bits_max;
    };
    for (const Row& row : {
             Row{1'000'000, 6e-5, 18.0},
             Row{1'000'000, 1e-4, 18.0},
             Row{1'000'000, 1e-2, 12},
             Row{1'000'000, 0.3, 9.7},
             Row{1'000'000, 1e-6, 25.7},
             Row{40'000'000, 6e-5, 18.0},
             Row{100'000, 1e-9, 40},
         }) {
        CAPTURE(row.keys);
        CAPTURE(row.rate);
        const TableShape shape = filter_shape(50, row.keys, row.rate);
        CHECK(shape.block.fits());
        CHECK(shape.keys_max >= row.keys);
        CHECK(fp_rate(shape, row.keys) <= row.rate);
        CHECK(fp_rate(shape, row.keys / 2) <= row.rate / 2);
        CHECK(bits_a_key(shape, row.keys) <= row.bits_max);
    }
}

TEST_CASE(
    "exact_shape: whole numbers take about 37 bits where a million lie together, and are never "
    "mistaken") {
    struct Row {
        unsigned key_bits;
        std::uint64_t keys;
        double bits_max;
    };
    for (const Row& row : {
             Row{50, 1'000'000, 37},
             Row{50, 256, 57},
             Row{50, 40'000'000, 31},
             Row{56, 156'250, 47},
         }) {
        CAPTURE(row.key_bits);
        CAPTURE(row.keys);
        const TableShape shape = exact_shape(row.key_bits, row.keys);
        CHECK(is_exact(shape));
        CHECK(shape.block.fits());
        CHECK(shape.keys_max >= row.keys);
        CHECK(fp_rate(shape, row.keys) == 0);
        CHECK(bits_a_key(shape, row.keys) <= row.bits_max);
    }
}

TEST_CASE("block shapes: any number of keys and any rate has one that fits its cache line") {
    for (const unsigned key_bits : {50U, 56U}) {
        for (std::uint64_t keys = 1; keys < 1'000'000'000; keys = keys * 3 + 1) {
            CAPTURE(keys);
            CHECK(exact_shape(key_bits, keys).block.fits());
            for (const double rate : {0.5, 1e-1, 1e-3, 1e-5, 1e-9}) {
                CAPTURE(rate);
                const TableShape shape = filter_shape(key_bits, keys, rate);
                CHECK(shape.block.fits());
                CHECK(shape.keys_max >= keys);
                CHECK(fp_rate(shape, keys) <= rate);
            }
        }
    }
}

}  // namespace smsrack::dedup
