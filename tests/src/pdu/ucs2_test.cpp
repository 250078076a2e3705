#include "src/pdu/alphabet/ucs2.hpp"

#include "src/pdu/alphabet/utf8.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

TEST_CASE("UTF-8 and UCS-2: every character of Unicode comes back") {
    for (char32_t character = 0; character <= 0x10FFFF; ++character) {
        if (character == 0xD800) {
            character = 0xE000;
        }
        std::array<char, 4> utf8{};
        const auto length =
            static_cast<std::size_t>(put_utf8(utf8.data(), character) - utf8.data());
        const CodePoint read = code_point_at({utf8.data(), length}, 0);
        REQUIRE(read.value == character);
        REQUIRE(read.octets == length);

        std::array<std::uint8_t, 4> units{};
        const auto octets =
            static_cast<std::size_t>(put_ucs2(units.data(), character) - units.data());
        REQUIRE(octets == 2 * ucs2_units(character));
        REQUIRE(ucs2_text({units.data(), octets}) == std::string(utf8.data(), length));
    }
}

TEST_CASE("UTF-8: what is not valid is refused") {
    for (const std::string text :
         {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x80\x80", "\xE0\x9F\xBF",
          "\xE2\x82", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF",
          "\xF0\x9F\x98", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF"}) {
        CAPTURE(text);
        CHECK(code_point_at(text, 0).octets == 0);
    }
}

TEST_CASE("UCS-2: lone surrogates and an odd octet are U+FFFD, all else stays") {
    struct Row {
        const char* so;
        std::vector<std::uint8_t> units;
        std::string text;
    };
    for (const Row& row : {
             Row{"a pair", {0xD8, 0x3D, 0xDE, 0x00}, "😀"},
             Row{"a high one before a letter", {0xD8, 0x3D, 0, 0x62}, "\uFFFDb"},
             Row{"a high one at the end", {0, 0x61, 0xD8, 0x3D}, "a\uFFFD"},
             Row{"a low one", {0xDE, 0x00, 0, 0x62}, "\uFFFDb"},
             Row{"two high ones and a low one", {0xD8, 0x3D, 0xD8, 0x3D, 0xDE, 0x00}, "\uFFFD😀"},
             Row{"a high one and half a low one", {0xD8, 0x3D, 0xDE}, "\uFFFD\uFFFD"},
             Row{"an odd octet", {0, 0x61, 0x41}, "a\uFFFD"},
             Row{"nothing", {}, ""},
         }) {
        CAPTURE(row.so);
        CHECK(ucs2_text(row.units) == row.text);
    }
}

}  // namespace
}  // namespace smsrack::pdu
