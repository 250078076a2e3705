#include "src/base/hex.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

TEST_CASE("hex: octets as digits, and back") {
    const std::string octets("\x00\x0f\xa5\xff", 4);
    CHECK(hex_of(octets) == "000fa5ff");
    CHECK(octets_of_hex("000fa5ff") == octets);
    CHECK(hex_of(std::string_view()).empty());
    CHECK(octets_of_hex("") == "");
}

TEST_CASE("hex: half an octet, a capital or another letter is refused") {
    for (const std::string_view wrong : {"0", "0A", "0g", "0x", " 0"}) {
        CAPTURE(wrong);
        CHECK_FALSE(octets_of_hex(wrong));
    }
}
