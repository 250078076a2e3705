#include "src/pdu/alphabet/letters.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;

TEST_CASE("letters: what people write is compared in small letters, runs of blanks as one") {
    CHECK(pdu::compared_text("The LIFT") == "the lift");
    CHECK(pdu::compared_text("a \t\r\n b") == "a b");
    CHECK(pdu::compared_text("(+33) 6.") == "(+33) 6.");
    CHECK(pdu::compared_text("\u00C9T\u00C9 \u0152UVRE") == "\u00E9t\u00E9 \u0153uvre");
    CHECK(pdu::compared_text("\u0391\u0413") == "\u03B1\u0433");
    CHECK(pdu::compared_text("a\u00A0\u200Bb") == "a b");
    CHECK(pdu::compared_text("").empty());
}

TEST_CASE(
    "letters: a text of any length is compared whole; octets that are no UTF-8 are replaced") {
    const std::string longest(5'000, 'A');
    CHECK(pdu::compared_text(longest + "B").ends_with("ab"));
    CHECK(pdu::compared_text("a\xFF"
                             "B") ==
          "a\uFFFD"
          "b");
}
