#include "tools/smsrack/screen/wrap.hpp"

#include "tools/smsrack/screen/console.hpp"

#include <doctest/doctest.h>

using namespace smsrack::cli;

namespace {

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("wrapped: lines of whole words that fit") {
    CHECK(wrapped("", 10) == Lines{""});
    CHECK(wrapped("one", 10) == Lines{"one"});
    CHECK(wrapped("one two three", 0) == Lines{"one two three"});
    CHECK(wrapped("one two three", 7) == Lines{"one two", "three"});
    CHECK(wrapped("one two three", 8) == Lines{"one two", "three"});
    CHECK(wrapped("one  two", 4) == Lines{"one", "two"});
}

TEST_CASE("wrapped: a word that is too long is cut, and no character is") {
    CHECK(wrapped("abcdefgh ij", 3) == Lines{"abc", "def", "gh", "ij"});
    CHECK(wrapped("日本日本", 5) == Lines{"日本", "日本"});
    CHECK(wrapped("日本", 1) == Lines{"日", "本"});
    CHECK(wrapped("e\u0301e\u0301", 1) == Lines{"e\u0301", "e\u0301"});
}

TEST_CASE("wrapped: at every width all words are there, in their order") {
    const std::string text = "refused with +CMS ERROR 500: unknown error; a-very-long-word-indeed";
    for (std::size_t columns = 1; columns < 80; ++columns) {
        CAPTURE(columns);
        std::string together;
        for (const std::string& line : wrapped(text, columns)) {
            CHECK(columns_of(line) <= columns);
            for (const char c : line) {
                together += c == ' ' ? "" : std::string(1, c);
            }
        }
        std::string expected;
        for (const char c : text) {
            expected += c == ' ' ? "" : std::string(1, c);
        }
        CHECK(together == expected);
    }
}

TEST_CASE(
    "hanging: later lines stand below the first word, or below the name where there is no room") {
    CHECK(hanging("why: ", "a text that is too long for it", 26) ==
          "why: a text that is too\n     long for it\n");
    CHECK(hanging("a very long name: ", "a text that is long", 24) ==
          "a very long name: \na text that is long\n");
    CHECK(hanging("  ", "", 80) == "  \n");
    CHECK(hanging("a", "b c", 0) == "ab c\n");
}

TEST_CASE("cut_to: never within a character") {
    CHECK(cut_to("abc", 2) == "ab");
    CHECK(cut_to("日本", 3) == "日");
    CHECK(cut_to("é", 0).empty());
}
