#include "src/base/field_template.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

namespace {

std::string filled(std::string_view text) {
    const auto parsed = FieldTemplate::parse(text);
    REQUIRE(parsed);
    return parsed->fill([](std::string_view field) { return field == "a" ? "{b}" : "B"; });
}

}  // namespace

TEST_CASE("field template: fields are put in as they are, doubled braces are braces") {
    CHECK(filled("").empty());
    CHECK(filled("no field") == "no field");
    CHECK(filled("{a}{b}-{a}") == "{b}B-{b}");  // what a field says is not read again
    CHECK(filled("{{a}} {{{b}}}") == "{a} {B}");
}

TEST_CASE("field template: its fields, each once") {
    const auto parsed = FieldTemplate::parse("{b} {a} {b}");
    REQUIRE(parsed);
    CHECK(parsed->fields() == std::vector<std::string>{"b", "a"});
    CHECK(parsed->uses("a"));
    CHECK_FALSE(parsed->uses("c"));
}

TEST_CASE("field template: a fault is named with its place, not with the text") {
    struct Case {
        const char* text;
        const char* fault;
    };
    for (const Case& c : {
             Case{"ab{", "octet 3: \"{\" without \"}\" (\"{{\" is the brace itself)"},
             Case{"a}", "octet 2: \"}\" without \"{\" (\"}}\" is the brace itself)"},
             Case{"{}", "octet 1: no name of a field between \"{\" and \"}\""},
             Case{"{a b}", "octet 1: no name of a field between \"{\" and \"}\""},
             Case{"{a{b}", "octet 1: no name of a field between \"{\" and \"}\""},
         }) {
        CAPTURE(c.text);
        const auto parsed = FieldTemplate::parse(c.text);
        REQUIRE_FALSE(parsed);
        CHECK(parsed.error().context == c.fault);
    }
}
