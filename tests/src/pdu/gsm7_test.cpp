#include "src/pdu/alphabet/gsm7.hpp"

#include "src/wire/json.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

wire::Json golden_languages() {
    std::ifstream file(SMSRACK_GOLDEN_DIR "/gsm7-tables.json");
    std::stringstream text;
    text << file.rdbuf();
    const auto json = wire::parse_json(text.str());
    REQUIRE(json.has_value());
    return (*json)["languages"];
}

char16_t golden_character(const wire::Json& value) {
    return value.is_null()
               ? no_character
               : static_cast<char16_t>(std::stoul(value.get<std::string>(), nullptr, 16));
}

std::string text_of(std::vector<std::uint8_t> septets, Languages languages = {}) {
    std::array<char, gsm7_utf8_max> room;
    return {room.data(), put_gsm7_text(room.data(), septets, gsm7_tables(languages))};
}

TEST_CASE("GSM 7-bit tables: every place of every table is that of the golden file") {
    const auto languages = golden_languages();
    REQUIRE(languages.size() == language_count);
    const wire::Json default_locking = languages[0]["locking"];
    for (const auto& language : languages) {
        const auto id = language["id"].get<std::uint8_t>();
        CAPTURE(id);
        const Gsm7Tables tables = gsm7_tables({.locking = id, .single = id});
        const wire::Json& locking =
            language["locking"].is_null() ? default_locking : language["locking"];
        std::size_t singles = 0;
        for (std::size_t code = 0; code < 128; ++code) {
            CAPTURE(code);
            CHECK(tables.main->characters[code] == golden_character(locking[code]));
            singles += tables.shift->characters[code] != no_character ? 1 : 0;
        }
        CHECK(singles == language["single"].size());
        for (const auto& [code, character] : language["single"].items()) {
            CHECK(tables.shift->characters[std::stoul(code, nullptr, 16)] ==
                  golden_character(character));
        }
    }
}

TEST_CASE("GSM 7-bit tables: the way back gives the lowest code of a character") {
    for (std::uint8_t id = 0; id < language_count; ++id) {
        const Gsm7Tables tables = gsm7_tables({.locking = id, .single = id});
        for (const CodeTable* table : {tables.main, tables.shift}) {
            for (char32_t character = 0; character < 0x10000; ++character) {
                std::uint8_t lowest = no_code;
                for (std::uint8_t code = 128; code-- > 0;) {
                    lowest = table->characters[code] == character && character != no_character
                                 ? code
                                 : lowest;
                }
                REQUIRE(table->code_of(character) == lowest);
            }
            CHECK(table->code_of(0x1F600) == no_code);
            CHECK(table->code_of(0x10041) == no_code);
        }
    }
}

TEST_CASE("GSM 7-bit tables: an identifier without a table means the default one") {
    for (const std::uint8_t id : {std::uint8_t{14}, std::uint8_t{99}, std::uint8_t{255}}) {
        CHECK(gsm7_tables({.locking = id, .single = id}).main == gsm7_tables({}).main);
        CHECK(gsm7_tables({.locking = id, .single = id}).shift == gsm7_tables({}).shift);
    }
    CHECK(gsm7_tables({.locking = spanish}).main->characters == gsm7_tables({}).main->characters);
}

TEST_CASE("GSM 7-bit packing: what is packed is unpacked, at every place and length") {
    std::vector<std::uint8_t> all(septets_max);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<std::uint8_t>((i * 37 + 11) % 128);
    }
    for (std::size_t first = 0; first <= septets_max; ++first) {
        for (std::size_t count = 0; first + count <= septets_max; ++count) {
            std::array<std::uint8_t, 140> octets{};
            pack_septets({all.data(), count}, first, octets);
            Septets back{};
            unpack_septets(Octets{octets}.first(octets_of_septets(first + count)), first, count,
                           back);
            REQUIRE(std::equal(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count),
                               back.begin()));
        }
    }
}

TEST_CASE("GSM 7-bit packing: fill bits and spare bits are zero") {
    const std::vector<std::uint8_t> septets(7, 0x7F);
    std::array<std::uint8_t, 140> octets{};
    pack_septets(septets, 1, octets);
    CHECK(octets[0] == 0x80);
    CHECK(octets[6] == 0xFF);
    CHECK(octets[7] == 0x00);
}

TEST_CASE("GSM 7-bit text: the escape rules of 23.038 6.2.1.1") {
    struct Row {
        const char* so;
        std::vector<std::uint8_t> septets;
        std::string text;
        Languages languages = {};
    };
    for (const Row& row : {
             Row{"a pair of the extension table", {0x1B, 0x65}, "€"},
             Row{"an unknown pair is the main character", {0x1B, 0x41}, "A"},
             Row{"an escape at the end is a space", {0x41, 0x1B}, "A "},
             Row{"two escapes are one space", {0x1B, 0x1B, 0x41}, " A"},
             Row{"a final @ stays", {0x31, 0x00}, "1@"},
             Row{"a final CR stays", {0x31, 0x0D}, "1\r"},
             Row{"a national pair", {0x1B, 0x53}, "Ş", {.single = 1}},
             Row{"an unknown pair is of the locking table",
                 {0x1B, 0x0B},
                 "Ğ",
                 {.locking = 1, .single = 1}},
             Row{"no character in a locking table is a space", {0x0B}, " ", {.locking = 11}},
         }) {
        CAPTURE(row.so);
        CHECK(text_of(row.septets, row.languages) == row.text);
    }
}

}  // namespace
}  // namespace smsrack::pdu
