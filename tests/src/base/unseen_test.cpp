#include "src/base/unseen.hpp"

#include "src/base/utf8.hpp"
#include "src/wire/json.hpp"
#include "src/wire/json_writer.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;

namespace {

std::string utf8_of(char32_t c) {
    const auto octet = [](char32_t value) { return static_cast<char>(value); };
    if (c < 0x80) {
        return {octet(c)};
    }
    if (c < 0x800) {
        return {octet(0xC0 | (c >> 6)), octet(0x80 | (c & 0x3F))};
    }
    if (c < 0x10000) {
        return {octet(0xE0 | (c >> 12)), octet(0x80 | ((c >> 6) & 0x3F)), octet(0x80 | (c & 0x3F))};
    }
    return {octet(0xF0 | (c >> 18)), octet(0x80 | ((c >> 12) & 0x3F)),
            octet(0x80 | ((c >> 6) & 0x3F)), octet(0x80 | (c & 0x3F))};
}

std::string json_of(const std::string& text) {
    std::string json;
    wire::JsonWriter writer(json);
    writer.begin_object();
    writer.member("text", text);
    writer.end_object();
    return json;
}

bool holds_unseen(std::string_view text) {
    while (!text.empty()) {
        const Utf8Step step = next_character(text);
        if (!step.valid || is_unseen(step.character)) {
            return true;
        }
        text.remove_prefix(step.octets);
    }
    return false;
}

}  // namespace

TEST_CASE(
    "unseen: direction, zero width, controls and tags are; letters, marks and emoji are not") {
    for (const char32_t c :
         {U'\0',     U'\x1B',       U'\x7F',       U'\x85',      U'\x9B',   U'\u00AD',
          U'\u061C', U'\u200B',     U'\u200D',     U'\u200E',    U'\u200F', U'\u2028',
          U'\u202A', U'\u202E',     U'\u2060',     U'\u2066',    U'\u2069', U'\uFEFF',
          U'\uFFF9', U'\U000E0041', U'\U000E007F', U'\U000E0100'}) {
        CAPTURE(static_cast<unsigned>(c));
        CHECK(is_unseen(c));
    }
    for (const char32_t c : {U' ', U'a', U'\u00A0', U'é', U'ש', U'ع', U'\u0301', U'€', U'漢',
                             U'\uFE0F', U'\uFFFD', U'😀'}) {
        CAPTURE(static_cast<unsigned>(c));
        CHECK_FALSE(is_unseen(c));
    }
}

TEST_CASE("unseen: for people each is written in letters") {
    CHECK(seen_text("pay \u202E001\u202C now") == "pay \\u{202E}001\\u{202C} now");
    CHECK(seen_text("a\u200Bb\nc\x1B[2J\xC2\x9B") == "a\\u{200B}b\\nc\\x1B[2J\\x9B");
    CHECK(seen_text("\U000E0041") == "\\u{E0041}");
    CHECK(seen_text("ok \xFF") == "ok \uFFFD");
}

TEST_CASE("unseen: in JSON each is escaped, and the text stays what it was: all characters") {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) {
            continue;
        }
        if (!is_unseen(c) && c % 97 != 0 && c != '"' && c != '\\') {
            continue;
        }
        const std::string text = "a" + utf8_of(c) + "b";
        const std::string json = json_of(text);
        const bool exact = wire::parse_json(json)->at("text").get<std::string>() == text;
        if (!exact || holds_unseen(json)) {
            CAPTURE(static_cast<unsigned>(c));
            CHECK(exact);
            CHECK_FALSE(holds_unseen(json));
        }
    }
}
