#include "src/pdu/segmenter.hpp"

#include "tests/src/pdu/said.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

TEST_CASE("segmenter: how many segments a text takes") {
    struct Row {
        const char* so;
        std::string text;
        Alphabet alphabet;
        std::size_t segments;
        std::size_t units;
        std::size_t per_segment;
    };
    for (const Row& row : {
             Row{"nothing", "", Alphabet::gsm7, 1, 0, 160},
             Row{"160 letters", std::string(160, 'a'), Alphabet::gsm7, 1, 160, 160},
             Row{"161 letters", std::string(161, 'a'), Alphabet::gsm7, 2, 161, 153},
             Row{"306 letters", std::string(306, 'a'), Alphabet::gsm7, 2, 306, 153},
             Row{"307 letters", std::string(307, 'a'), Alphabet::gsm7, 3, 307, 153},
             Row{"80 euro signs", repeated("€", 80), Alphabet::gsm7, 1, 160, 160},
             Row{"81 euro signs", repeated("€", 81), Alphabet::gsm7, 2, 162, 153},
             Row{"153 pairs do not fit where 306 letters do", repeated("€", 153), Alphabet::gsm7, 3,
                 306, 153},
             Row{"70 units", repeated("я", 70), Alphabet::ucs2, 1, 70, 70},
             Row{"71 units", repeated("я", 71), Alphabet::ucs2, 2, 71, 67},
             Row{"35 faces", repeated("😀", 35), Alphabet::ucs2, 1, 70, 70},
             Row{"36 faces", repeated("😀", 36), Alphabet::ucs2, 2, 72, 67},
             Row{"67 faces do not fit where 134 letters do", repeated("😀", 67), Alphabet::ucs2, 3,
                 134, 67},
             Row{"one letter that is not in GSM 7-bit", std::string(70, 'a') + "ç", Alphabet::ucs2,
                 2, 71, 67},
         }) {
        CAPTURE(row.so);
        const auto plan = plan_segments({.content = row.text});
        REQUIRE(plan.has_value());
        CHECK(plan->alphabet == row.alphabet);
        CHECK(plan->segments == row.segments);
        CHECK(plan->units == row.units);
        CHECK(plan->units_per_segment == row.per_segment);
    }
}

TEST_CASE(
    "segmenter: the cheapest language is the one with the fewest segments, and UCS-2 on a tie") {
    struct Row {
        const char* so;
        std::string text;
        AlphabetWish alphabet;
        Alphabet chosen;
        Languages languages;
    };
    for (const Row& row : {
             Row{"the default tables first", "hello", AlphabetWish::cheapest, Alphabet::gsm7, {}},
             Row{"one UCS-2 segment is enough",
                 "Şimdi gel",
                 AlphabetWish::cheapest,
                 Alphabet::ucs2,
                 {}},
             Row{"unless GSM 7-bit is asked for",
                 "Şimdi gel",
                 AlphabetWish::gsm7,
                 Alphabet::gsm7,
                 {.single = 1}},
             Row{"a single shift table saves one",
                 repeated("Şimdi gel ", 10),
                 AlphabetWish::cheapest,
                 Alphabet::gsm7,
                 {.single = 1}},
             Row{"a locking table saves one",
                 repeated("ğışĞİŞ", 20),
                 AlphabetWish::cheapest,
                 Alphabet::gsm7,
                 {.locking = 1}},
             Row{"a letter that no table has",
                 repeated("Şimdi gel Ж ", 10),
                 AlphabetWish::cheapest,
                 Alphabet::ucs2,
                 {}},
         }) {
        CAPTURE(row.so);
        const auto plan = plan_segments(
            {.content = row.text, .alphabet = row.alphabet, .language = LanguageWish::cheapest});
        REQUIRE(plan.has_value());
        CHECK(plan->alphabet == row.chosen);
        CHECK(plan->languages == row.languages);
    }
}

TEST_CASE("segmenter: what can't be said is refused, with the character where it is known") {
    const std::vector<std::uint8_t> long_element = [] {
        std::vector<std::uint8_t> octets(139, 0);
        octets[0] = 0x70;
        octets[1] = 137;
        return octets;
    }();
    const std::vector<std::uint8_t> longer_element(140, 0);
    struct Row {
        const char* so;
        SegmentRequest request;
        PduErrc code;
        std::optional<std::size_t> offset = {};
    };
    const std::string many(255 * 153 + 1, 'a');
    const std::string many_octets(255 * 134 + 1, 'a');
    const std::string many_units = repeated("я", 255 * 67 + 1);
    for (const Row& row : {
             Row{"not UTF-8", {.content = "ab\xC3"}, PduErrc::bad_utf8, 2},
             Row{"not UTF-8 behind what needs UCS-2", {.content = "жж\xC3"}, PduErrc::bad_utf8, 2},
             Row{"a surrogate", {.content = "\xED\xA0\x80"}, PduErrc::bad_utf8, 0},
             Row{"not in the alphabet",
                 {.content = "éabж", .alphabet = AlphabetWish::gsm7},
                 PduErrc::unencodable,
                 3},
             Row{"not in the tables given",
                 {.content = "ж", .alphabet = AlphabetWish::gsm7, .tables = {.locking = 1}},
                 PduErrc::unencodable,
                 0},
             Row{"in none of the tables",
                 {.content = "şж",
                 .alphabet = AlphabetWish::gsm7,
                 .language = LanguageWish::cheapest},
                 PduErrc::unencodable,
                 1},
             Row{"256 segments", {.content = many}, PduErrc::too_long},
             Row{"256 segments of data",
                 {.content = many_octets, .is_data = true},
                 PduErrc::too_long},
             Row{"256 segments of UCS-2", {.content = many_units}, PduErrc::too_long},
             Row{"no room for a letter",
                 {.content = "a", .elements = long_element},
                 PduErrc::bad_udh},
             Row{"no room for an octet",
                 {.content = "a", .is_data = true, .elements = long_element},
                 PduErrc::bad_udh},
             Row{"a header above 140 octets",
                 {.content = "", .elements = longer_element},
                 PduErrc::bad_udh},
             Row{"the same with data",
                 {.content = "", .is_data = true, .elements = longer_element},
                 PduErrc::bad_udh},
         }) {
        CAPTURE(row.so);
        const auto plan = plan_segments(row.request);
        REQUIRE_FALSE(plan.has_value());
        CHECK(pdu_errc_name(plan.error().code) == pdu_errc_name(row.code));
        CHECK(plan.error().offset == row.offset);
    }
    CHECK(plan_segments({.content = "", .elements = long_element}).has_value());
}

TEST_CASE("segmenter: 255 segments of each kind are written whole") {
    const std::string letters(255 * 153, 'a');
    const std::string units = repeated("я", 255 * 67);
    const std::string octets(255 * 134, '\xFF');
    for (const SegmentRequest& request :
         {SegmentRequest{.content = letters}, SegmentRequest{.content = units},
          SegmentRequest{.content = octets, .is_data = true}}) {
        const auto said = say(request);
        REQUIRE(said.has_value());
        CHECK(said->plan.segments == 255);
        CHECK(heard(*said) == request.content);
    }
}

TEST_CASE("segmenter: a wide character and room for one unit is no room") {
    // A header of 137 octets: 3 left, one unit of UCS-2; 140 - 137 octets hold 3 septets.
    std::vector<std::uint8_t> element(136, 0);
    element[0] = 0x70;
    element[1] = 134;
    CHECK(plan_segments({.content = "ж", .elements = element}).has_value());
    CHECK(plan_segments({.content = "😀", .elements = element}).error().code == PduErrc::bad_udh);
}

}  // namespace
}  // namespace smsrack::pdu
