#include "src/pdu/alphabet/gsm7.hpp"
#include "tests/src/pdu/said.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

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
            elements.assign(2 + random.below<std::size_t>(100), 0xAB);
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

}  // namespace
}  // namespace smsrack::pdu
