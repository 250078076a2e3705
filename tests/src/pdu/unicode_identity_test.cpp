// What is said is heard, for each character there is, and for mixes of them at each length around a segment's end.
#include "src/pdu/alphabet/gsm7.hpp"
#include "tests/src/pdu/said.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

/// One segment, without the macros of a test: there are a million.
bool is_heard(const std::string& text) {
    const SegmentRequest request{.content = text};
    const auto plan = plan_segments(request);
    if (!plan || plan->segments != 1) {
        return false;
    }
    SegmentWriter writer(request, *plan, 0);
    SegmentData segment;
    writer.next(segment);
    const SubmitHead head{.destination = *make_address({.number = "123"}, "to"),
                          .tp_dcs = make_dcs(plan->alphabet, std::nullopt)};
    const std::string pdu = make_sms_submit(head, 0, segment);
    const auto decoded = decode_pdu(octets_of(pdu), Direction::from_mobile);
    return decoded && std::get<SmsSubmit>(decoded->tpdu).user_data.text() == text;
}

/// A character of one of the kinds that share a mix.
struct Kind {
    const char* so;
    std::vector<char32_t> characters;  ///< or, where it has two: one of the range
    bool is_range = false;
};

char32_t character_of(const Kind& kind, test::SeededRandom& random) {
    if (!kind.is_range) {
        return kind.characters[random.below(kind.characters.size())];
    }
    const char32_t first = kind.characters[0];
    const char32_t character =
        first + static_cast<char32_t>(random.below(kind.characters[1] - first + 1));
    return character >= 0xD800 && character < 0xE000 ? U'я' : character;
}

const std::vector<std::vector<Kind>> mixes{
    {{"letters", {U'a', U'z'}, true}},
    {{"letters", {U'a', U'z'}, true}, {"extension table", {U'€', U'[', U'~', U'\f', U'\\'}}},
    {{"extension table", {U'€', U'{', U'}', U'^', U'|'}}},
    {{"Basic Multilingual Plane", {0x20, 0xFFFF}, true}},
    {{"Cyrillic", {U'а', U'я'}, true}, {"surrogate pairs", {0x1F600, 0x1F64F}, true}},
    {{"surrogate pairs", {0x10000, 0x10FFFF}, true}},
    {{"letters", {U'a', U'z'}, true}, {"any", {0, 0x10FFFF}, true}},
};

}  // namespace

TEST_CASE("PDUs: each character of Unicode, alone, is heard as it was said") {
    std::vector<std::uint32_t> not_heard;
    for (char32_t character = 0; character <= 0x10FFFF; ++character) {
        if (character == 0xD800) {
            character = 0xE000;
        }
        if (!is_heard(utf8_of(character))) {
            not_heard.push_back(character);
        }
    }
    CAPTURE(not_heard.empty() ? 0 : not_heard.front());
    CHECK(not_heard.empty());
}

TEST_CASE(
    "PDUs: mixes of characters are heard as they were said, at each length around a segment's "
    "end") {
    test::SeededRandom random(11);
    for (const std::vector<Kind>& mix : mixes) {
        CAPTURE(mix.back().so);
        // From one octet to beyond three segments of any alphabet: 3 * 153 septets, 3 * 67 units.
        for (std::size_t length = 1; length <= 470; ++length) {
            CAPTURE(length);
            std::string text;
            for (std::size_t i = 0; i < length; ++i) {
                text += utf8_of(character_of(mix[random.below(mix.size())], random));
            }
            for (const std::uint8_t bits : {std::uint8_t{8}, std::uint8_t{16}}) {
                const auto said = say({.content = text, .ref_bits = bits});
                REQUIRE(said.has_value());
                CHECK(said->pdus.size() == said->plan.segments);
                REQUIRE(heard(*said) == text);
            }
        }
    }
}

TEST_CASE("PDUs: the national tables too, at each length around a segment's end") {
    test::SeededRandom random(12);
    for (std::uint8_t id = 1; id < language_count; ++id) {
        const Languages languages{.locking = id == spanish ? std::uint8_t{0} : id, .single = id};
        const Gsm7Tables tables = gsm7_tables(languages);
        std::vector<char32_t> characters;
        for (const CodeTable* const table : {tables.main, tables.shift}) {
            for (const char16_t character : table->characters) {
                if (character != no_character) {
                    characters.push_back(character);
                }
            }
        }
        CAPTURE(int{id});
        for (std::size_t length = 60; length <= 330; ++length) {
            CAPTURE(length);
            std::string text;
            for (std::size_t i = 0; i < length; ++i) {
                text += utf8_of(characters[random.below(characters.size())]);
            }
            const auto said =
                say({.content = text, .alphabet = AlphabetWish::gsm7, .tables = languages});
            REQUIRE(said.has_value());
            REQUIRE(heard(*said) == text);
        }
    }
}

}  // namespace smsrack::pdu
