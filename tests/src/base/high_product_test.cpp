#include "src/base/high_product.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace smsrack;

TEST_CASE("high_product: what a product has above its lower 64 bits, with each way to reckon it") {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    struct Row {
        std::uint64_t a, b, high;
    };
    // all * all = 2^128 - 2^65 + 1; the last by bc(1)
    for (const Row& row :
         {Row{0, all, 0}, Row{1, all, 0}, Row{2, all, 1}, Row{all, all, all - 1},
          Row{std::uint64_t{1} << 32U, std::uint64_t{1} << 32U, 1},
          Row{0xFFFF'FFFFU, 0xFFFF'FFFFU, 0}, Row{all, 0x1'0000'0001U, 0x1'0000'0000U},
          Row{0x9E3779B97F4A7C15U, 0xBF58476D1CE4E5B9U, 0x7641F3080FF92329U}}) {
        CAPTURE(row.a);
        CAPTURE(row.b);
        CHECK(high_product(row.a, row.b) == row.high);
        CHECK(high_product(row.b, row.a) == row.high);
        CHECK(high_product_by_halves(row.a, row.b) == row.high);
        CHECK(high_product_by_halves(row.b, row.a) == row.high);
    }
}
