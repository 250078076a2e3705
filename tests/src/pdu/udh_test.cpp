#include "src/pdu/udh.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace smsrack::pdu {
namespace {

using Elements = std::vector<std::uint8_t>;

TEST_CASE("user data header: only elements that add up are used") {
    struct Row {
        const char* so;
        Elements elements;
        bool malformed;
    };
    for (const Row& row : {
             Row{"none", {}, false},
             Row{"one without data", {0x70, 0}, false},
             Row{"two", {0x70, 1, 0xAA, 0x71, 2, 1, 2}, false},
             Row{"a lone identifier", {0x70}, true},
             Row{"one longer than the header", {0x00, 5, 0xCC, 3, 2}, true},
             Row{"an identifier behind a good one", {0x00, 3, 1, 2, 1, 0x70}, true},
         }) {
        CAPTURE(row.so);
        const Udh udh = read_udh(row.elements);
        CHECK(udh.malformed == row.malformed);
        if (row.malformed) {
            CHECK_FALSE(udh.concat.has_value());
        }
    }
}

TEST_CASE("user data header: the last concatenation that can be true counts") {
    const Elements elements{0x00, 3, 1, 2,    1, 0x08, 4, 0xBE, 0xEF, 3, 2, 0x00, 3,
                            9,    2, 3, 0x00, 3, 9,    2, 0,    0x00, 2, 9, 1};
    const Udh udh = read_udh(elements);
    REQUIRE(udh.concat.has_value());
    CHECK(udh.concat->ref == 0xBEEF);
    CHECK(udh.concat->ref_bits == 16);
    CHECK(udh.concat->total == 3);
    CHECK(udh.concat->seq == 2);
}

TEST_CASE("user data header: ports and languages of the right length count, the last of each") {
    const Elements elements{0x04, 2, 1, 2,    0x05, 4, 0x0B, 0x84, 0x23, 0xF0, 0x05,
                            2,    9, 9, 0x24, 1,    3, 0x24, 2,    4,    4};
    const Udh udh = read_udh(elements);
    REQUIRE(udh.ports.has_value());
    CHECK(udh.ports->dst == 2948);
    CHECK(udh.ports->src == 9200);
    CHECK(udh.ports->bits == 16);
    REQUIRE(udh.languages.has_value());
    CHECK(*udh.languages == Languages{.locking = 0, .single = 3});
}

}  // namespace
}  // namespace smsrack::pdu
