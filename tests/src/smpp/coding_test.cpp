#include "src/smpp/coding.hpp"

#include <doctest/doctest.h>

using namespace smsrack::smpp;

TEST_CASE("smpp: data_coding says what the octets are") {
    struct Row {
        std::uint8_t data_coding;
        Coding coding;
    };
    for (const Row& row :
         {Row{0x00, Coding::utf8}, Row{0x01, Coding::ascii}, Row{0x02, Coding::octets},
          Row{0x03, Coding::latin1}, Row{0x04, Coding::octets}, Row{0x06, Coding::octets},
          Row{0x08, Coding::utf16}, Row{0x10, Coding::gsm7}, Row{0x14, Coding::octets},
          Row{0x18, Coding::utf16}, Row{0xF0, Coding::gsm7}, Row{0xF5, Coding::octets},
          Row{0xC0, Coding::octets}}) {
        CAPTURE(static_cast<int>(row.data_coding));
        CHECK(coding_of(row.data_coding, Coding::utf8) == row.coding);
    }
    CHECK(coding_of(0, Coding::gsm7) == Coding::gsm7);
    CHECK(coding_of(1, Coding::utf8, Coding::gsm7) == Coding::gsm7);
}

TEST_CASE("smpp: octets become the text that they are in their coding") {
    struct Row {
        Coding coding;
        std::string_view octets;
        std::optional<std::string> text;
    };
    using namespace std::string_view_literals;
    for (const Row& row : {
             Row{Coding::gsm7, "\x00\x11\x1B\x65\x7F"sv, "@_\u20AC\u00E0"},
             Row{Coding::gsm7, "a\x80"sv, std::nullopt},
             Row{Coding::gsm7, "a\x1B"sv, std::nullopt},
             Row{Coding::ascii, "a\x7F"sv, "a\x7F"},
             Row{Coding::ascii, "a\xE9"sv, std::nullopt},
             Row{Coding::latin1, "\xE9t\xE9"sv, "\u00E9t\u00E9"},
             Row{Coding::utf16, "\x04\x1F\xD8\x3D\xDE\x00"sv, "\u041F\U0001F600"},
             Row{Coding::utf16, "\x04"sv, std::nullopt},
             Row{Coding::utf16, "\xD8\x3D\x00\x61"sv, std::nullopt},
             Row{Coding::utf16, "\xDE\x00"sv, std::nullopt},
             Row{Coding::utf16, "\xD8\x3D"sv, std::nullopt},
             Row{Coding::utf8, "\xC3\xA9"sv, "\u00E9"},
             Row{Coding::utf8, "\xC3"sv, std::nullopt},
             Row{Coding::octets, "a"sv, std::nullopt},
             Row{Coding::gsm7, ""sv, ""},
         }) {
        CAPTURE(static_cast<int>(row.coding));
        CAPTURE(row.octets.size());
        CHECK(text_of(row.octets, row.coding) == row.text);
    }
    // As long as message_payload may be.
    CHECK(text_of(std::string(65'535, 'a'), Coding::gsm7) == std::string(65'535, 'a'));
}
