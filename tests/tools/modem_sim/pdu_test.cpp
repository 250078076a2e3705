#include "src/wire/json.hpp"
#include "tools/modem_model/sms/hex.hpp"
#include "tools/modem_model/sms/sms_text.hpp"
#include "tools/modem_model/sms/tpdu.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

using namespace smsrack;

namespace {

std::string golden(const char* name) {
    std::ifstream file(std::string(SMSRACK_GOLDEN_DIR) + "/" + name);
    REQUIRE(file);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

constexpr WallTime noon =
    std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + std::chrono::hours(12);

std::string deliver(std::string_view from, const std::string& text) {
    const auto segments = modem_sim::make_segments(text, 1);
    REQUIRE(segments.size() == 1);
    return modem_sim::to_hex(
        modem_sim::make_deliver(from, modem_sim::time_stamp(noon), segments[0]).octets);
}

}  // namespace

TEST_CASE("the default alphabet is that of the golden table") {
    const auto tables = wire::parse_json(golden("gsm7-tables.json"));
    REQUIRE(tables);
    const auto& standard = tables->at("languages").at(0);
    for (std::uint8_t septet = 0; septet < 128; ++septet) {
        CAPTURE(septet);
        const auto& cell = standard.at("locking").at(septet);
        if (septet != 0x1B) {
            REQUIRE(cell.is_string());
            const auto expected =
                static_cast<char32_t>(std::stoul(cell.get<std::string>(), nullptr, 16));
            CHECK(modem_sim::gsm7_character(septet) == expected);
            CHECK(modem_sim::gsm7_of(expected) == std::string(1, static_cast<char>(septet)));
        }
    }
    for (const auto& [code, character] : standard.at("single").items()) {
        CAPTURE(code);
        const auto expected =
            static_cast<char32_t>(std::stoul(character.get<std::string>(), nullptr, 16));
        const std::string septets = modem_sim::gsm7_of(expected);
        // The page break has its own character; it is the one that two rows share nothing of.
        CHECK(septets == std::string{0x1B, static_cast<char>(std::stoul(code, nullptr, 16))});
    }
}

TEST_CASE("an SMS-DELIVER, octet by octet") {
    CHECK(deliver("+33611223344", "hello") ==
          "07913306091093F0"
          "04"
          "0B913316213243F4"
          "00"
          "00"
          "62111221000000"
          "05"
          "E8329BFD06");
    CHECK(deliver("3637", "\xC3\xA9") ==  // e acute is in the alphabet
          "07913306091093F0"
          "04"
          "04816373"
          "00"
          "00"
          "62111221000000"
          "01"
          "05");
    CHECK(deliver("+33611223344", "\xD0\x96") ==  // Cyrillic Zhe is not
          "07913306091093F0"
          "04"
          "0B913316213243F4"
          "00"
          "08"
          "62111221000000"
          "02"
          "0416");
    CHECK(deliver("+33611223344", "\xF0\x9F\x98\x80") ==  // a surrogate pair
          "07913306091093F0"
          "04"
          "0B913316213243F4"
          "00"
          "08"
          "62111221000000"
          "04"
          "D83DDE00");
    CHECK(deliver("Bank", "ok") ==
          "07913306091093F0"
          "04"
          "07D0C2B07B0D"
          "00"
          "00"
          "62111221000000"
          "02"
          "EF35");
}

TEST_CASE("a long text becomes segments that never cut a character") {
    struct Case {
        std::size_t characters;
        const char* character;
        std::size_t segments;
        std::uint8_t first_udl;
    };
    for (const Case& c : {
             Case{160, "a", 1, 160},
             Case{161, "a", 2, 160},
             Case{306, "a", 2, 160},
             Case{307, "a", 3, 160},
             Case{80, "[", 1, 160},
             Case{81, "[", 2, 159},  // 76 pairs, and one septet stays empty
             Case{70, "\xD0\x96", 1, 140},
             Case{71, "\xD0\x96", 2, 140},
             Case{36, "\xF0\x9F\x98\x80", 2, 138},  // 33 pairs, and one unit stays empty
             Case{0, "a", 1, 0},
         }) {
        std::string text;
        for (std::size_t i = 0; i < c.characters; ++i) {
            text += c.character;
        }
        CAPTURE(c.characters);
        CAPTURE(c.character);
        const auto segments = modem_sim::make_segments(text, 0xAB);
        REQUIRE(segments.size() == c.segments);
        CHECK(segments[0].udl == c.first_udl);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            CHECK(segments[i].user_data.size() <= 140);
            CHECK(segments[i].with_header == (segments.size() > 1));
            if (segments.size() > 1) {
                const std::string header{5,
                                         0,
                                         3,
                                         static_cast<char>(0xAB),
                                         static_cast<char>(segments.size()),
                                         static_cast<char>(i + 1)};
                CHECK(segments[i].user_data.substr(0, 6) == header);
            }
        }
    }
}

TEST_CASE("broken UTF-8 becomes question marks, and cannot run over the end") {
    CHECK(modem_sim::make_segments("a\xC3", 0)[0].user_data == modem_sim::pack_septets("a?"));
    CHECK(modem_sim::make_segments("\xFF\xF0\x9F", 0)[0].user_data ==
          modem_sim::pack_septets("???"));
}

TEST_CASE("the submits of the golden encodings are read: destination, report wanted") {
    std::istringstream lines(golden("pdu-encode.jsonl"));
    int read = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto vector = wire::parse_json(line);
        REQUIRE(vector);
        if (!vector->at("expect").contains("segments")) {
            continue;  // what can't be encoded
        }
        for (const auto& segment : vector->at("expect").at("segments")) {
            const auto hex = segment.at("pdu").get<std::string>();
            const auto octets = modem_sim::from_hex(hex);
            REQUIRE(octets);
            REQUIRE_FALSE(octets->empty());
            const auto length = octets->size() - 1 - static_cast<unsigned char>(octets->front());
            CAPTURE(hex);
            CHECK(modem_sim::read_submit(*octets, length));
            CHECK_FALSE(modem_sim::read_submit(*octets, length + 1));
            ++read;
        }
    }
    CHECK(read > 10);
}

TEST_CASE("every shortened or changed PDU is read or refused, never run over") {
    const auto whole = modem_sim::from_hex("0021000B913316325476F800000AE8329BFD4697D9EC37");
    REQUIRE(whole);
    REQUIRE(modem_sim::read_submit(*whole, whole->size() - 1));
    CHECK(modem_sim::read_submit(*whole, whole->size() - 1)->report_requested);
    for (std::size_t size = 0; size <= whole->size(); ++size) {
        for (std::size_t at = 0; at < size; ++at) {
            std::string pdu = whole->substr(0, size);
            for (const char octet : {'\x00', '\x7F', '\xFF'}) {
                pdu[at] = octet;
                (void)modem_sim::read_submit(pdu, size == 0 ? 0 : size - 1);
            }
        }
    }
}

TEST_CASE("what a message is at its recipient, whatever validity, header and alphabet it had") {
    struct Case {
        const char* what;
        const char* submit;   // TPDU
        const char* deliver;  // TPDU
    };
    for (const Case& one : {
             Case{"no validity, a report asked", "21000B913316213243F4000005E8329BFD06",
                  "04049121430000"
                  "6211122100000005E8329BFD06"},
             Case{"relative validity", "11070B913316213243F40000A705E8329BFD06",
                  "04049121430000"
                  "6211122100000005E8329BFD06"},
             Case{"absolute validity, an even number of digits, a reply path",
                  "99070A91331621324300086211122100000002"
                  "0416",
                  "04049121430008"
                  "62111221000000020416"},
             Case{"a header, class 0, a protocol", "51070B913316213243F47F10A706050003010101",
                  "4404912143"
                  "7F10"
                  "6211122100000006050003010101"},
         }) {
        CAPTURE(one.what);
        const std::string centre = "07913306091093F0";
        const std::string submit = modem_sim::from_hex(centre + one.submit).value();
        CHECK(modem_sim::to_hex(modem_sim::forwarded(submit, "+1234", noon).octets) ==
              centre + one.deliver);
    }
}
