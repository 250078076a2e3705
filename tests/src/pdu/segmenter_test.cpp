#include "src/pdu/segmenter.hpp"

#include "src/pdu/decode.hpp"
#include "src/pdu/gsm7.hpp"
#include "src/pdu/ucs2.hpp"
#include "src/pdu/utf8.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

struct Said {
    SegmentPlan plan = {};
    std::vector<std::string> pdus = {};
};

PduResult<Said> say(const SegmentRequest& request, std::uint16_t ref = 7) {
    const auto plan = plan_segments(request);
    if (!plan) {
        return std::unexpected(plan.error());
    }
    Said said{.plan = *plan};
    const SubmitHead head{.destination = *make_address({.number = "123"}, "to"),
                          .tp_dcs = make_dcs(plan->alphabet, std::nullopt)};
    SegmentWriter writer(request, *plan, ref);
    SegmentData segment;
    for (unsigned i = 0; i < plan->segments; ++i) {
        writer.next(segment);
        said.pdus.push_back(make_sms_submit(head, 0, segment));
    }
    return said;
}

/// Decodes the segments and puts the content together; checks what must hold of each.
std::string heard(const Said& said) {
    std::string content;
    for (std::size_t i = 0; i < said.pdus.size(); ++i) {
        CAPTURE(i);
        const auto decoded = decode_pdu(octets_of(said.pdus[i]), Direction::from_mobile);
        REQUIRE(decoded.has_value());
        CHECK(decoded->trailing.empty());
        const UserData& data = std::get<SmsSubmit>(decoded->tpdu).user_data;
        REQUIRE(data.octets.size() <= user_data_octets_max);
        const bool concat = data.udh && data.udh->concat;
        REQUIRE(concat == (said.pdus.size() > 1));
        if (concat) {
            CHECK(data.udh->concat->seq == i + 1);
            CHECK(data.udh->concat->total == said.pdus.size());
        }
        if (said.plan.alphabet == Alphabet::data8) {
            content += characters_of(data.payload);
        } else {
            content +=
                data.text();  // a cut pair would show: as U+FFFD, or as a space for the escape
        }
    }
    return content;
}

std::string utf8_of(char32_t character) {
    std::array<char, 4> room{};
    return {room.data(), static_cast<std::size_t>(put_utf8(room.data(), character) - room.data())};
}

std::string repeated(const std::string& text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

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

TEST_CASE("segmenter: no escape pair and no surrogate pair is ever cut, at any place") {
    for (const std::string& pair : {std::string("€"), std::string("😀")}) {
        const std::string letter = pair == "€" ? "a" : "я";
        for (std::size_t before = 0; before <= 170; ++before) {
            CAPTURE(before);
            const std::string text = repeated(letter, before) + pair + repeated(letter, 170);
            const auto said = say({.content = text});
            REQUIRE(said.has_value());
            CHECK(heard(*said) == text);
        }
    }
}

TEST_CASE("segmenter: segments are filled greedily") {
    for (std::size_t length = 161; length <= 800; length += 3) {
        const std::string text(length, 'a');
        const auto said = say({.content = text});
        REQUIRE(said.has_value());
        CHECK(said->plan.segments == (length + 152) / 153);
        CHECK(heard(*said) == text);
    }
}

TEST_CASE("segmenter: all of Unicode is said and heard again") {
    std::string chunk;
    std::size_t in_chunk = 0;
    for (char32_t character = 0; character <= 0x10FFFF; ++character) {
        if (character == 0xD800) {
            character = 0xE000;
        }
        chunk += utf8_of(character);
        ++in_chunk;
        if (in_chunk == 2000 || character == 0x10FFFF) {
            const auto said = say({.content = chunk});
            REQUIRE(said.has_value());
            REQUIRE(heard(*said) == chunk);
            chunk.clear();
            in_chunk = 0;
        }
    }
}

TEST_CASE("segmenter: every character of every national table is said in it and heard again") {
    for (std::uint8_t id = 0; id < language_count; ++id) {
        for (const Languages languages : {Languages{.single = id}, Languages{.locking = id},
                                          Languages{.locking = id, .single = id}}) {
            if (languages.locking == spanish) {
                continue;
            }
            CAPTURE(int{languages.locking});
            CAPTURE(int{languages.single});
            const Gsm7Tables tables = gsm7_tables(languages);
            std::string text;
            for (const CodeTable* table : {tables.main, tables.shift}) {
                for (const char16_t character : table->characters) {
                    text += character == no_character ? std::string() : utf8_of(character);
                }
            }
            const auto said =
                say({.content = text, .alphabet = AlphabetWish::gsm7, .tables = languages});
            REQUIRE(said.has_value());
            CHECK(said->plan.languages == languages);
            CHECK(heard(*said) == text);
        }
    }
}

TEST_CASE(
    "segmenter: random texts under random wishes are heard as they were said, in the number of "
    "segments counted") {
    const std::vector<std::string> alphabet{"a", "b", " ", "€", "{",  "é", "ş",  "ğ",
                                            "ç", "ã", "न", "Ж", "日", "😀", "\n", "@"};
    test::SeededRandom random(7);
    for (int round = 0; round < 4000; ++round) {
        CAPTURE(round);
        const std::size_t kinds = 1 + random.below(alphabet.size());
        std::string text;
        for (auto left = random.below(500); left > 0; --left) {
            text += alphabet[random.below(kinds)];
        }
        SegmentRequest request{.content = text};
        request.alphabet = static_cast<AlphabetWish>(random.below(3));
        request.language = static_cast<LanguageWish>(random.below(2));
        request.ref_bits = random.below(2) == 0 ? 8 : 16;
        if (random.below(2) == 0) {
            request.ports = Ports{.dst = 200,
                                  .src = 100,
                                  .bits = static_cast<std::uint8_t>(random.below(2) == 0 ? 8 : 16)};
        }
        std::vector<std::uint8_t> elements;
        if (random.below(2) == 0) {
            elements.assign(2 + random.below(100), 0xAB);
            elements[0] = 0x70;
            elements[1] = static_cast<std::uint8_t>(elements.size() - 2);
            request.elements = elements;
        }
        const auto said = say(request);
        if (said) {
            CHECK(said->pdus.size() == said->plan.segments);
            REQUIRE(heard(*said) == text);
        } else {
            CHECK(said.error().code == PduErrc::unencodable);
            CHECK(request.alphabet == AlphabetWish::gsm7);
        }
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
