#include "src/wire/json_members.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::wire;

namespace {

struct Show {
    std::string operator()(JsonNull) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double) const { return "float"; }
    std::string operator()(const std::string& value) const { return "'" + value + "'"; }
    std::string operator()(JsonList) const { return "list"; }
};

std::string read(std::string_view text) {
    std::string all;
    const auto done = read_members(text, [&](std::string_view name, JsonScalar& value) -> Result<> {
        if (name == "bad") {
            return fail(Errc::too_long, "bad: it is");
        }
        all += std::string(name) + "=" + std::visit(Show{}, value) + " ";
        return {};
    });
    return done ? all : std::string(errc_name(done.error().code)) + ": " + done.error().context;
}

}  // namespace

TEST_CASE("read_members: each member with its type, those of an inner object with both names") {
    CHECK(
        read(
            R"({"a":"x","b":-3,"c":true,"d":null,"e":1.5,"f":[1,{"g":2},[3]],"h":{"i":1,"j":"k"},"l":1e2})") ==
        "a='x' b=-3 c=true d=null e=float f=list h.i=1 h.j='k' l=float ");
    CHECK(read("{}").empty());
    CHECK(read(" {\"a\" : 18446744073709551615 } ") == "a=float ");
    CHECK(read(R"({"a":"\u00e9\ud83d\ude00"})") == "a='é😀' ");
}

TEST_CASE("read_members: what is wrong is reported with the member's name") {
    struct Case {
        std::string text;
        std::string error;
    };
    for (const Case& it : {
             Case{"", "bad_request: not one JSON value"},
             Case{"[]", "bad_request: not a JSON object"},
             Case{"3", "bad_request: not a JSON object"},
             Case{"{} {}", "bad_request: not one JSON value"},
             Case{std::string("{}\0{}", 5), "bad_request: not one JSON value"},
             Case{R"({"a":1)", "bad_request: a: not one JSON value"},
             Case{R"({"a":1,"a":2})", "bad_request: a: given twice"},
             Case{R"({"a":{"b":{"c":1}}})", "bad_request: a.b: must not be an object"},
             Case{"{\"a\":1,\"text\":\"\xff\"}", "bad_encoding: text: not valid UTF-8"},
             Case{R"({"text":"\ud800"})", "bad_encoding: text: not valid UTF-8"},
             Case{R"({"a":1,"bad":2,"c":3})", "too_long: bad: it is"},
         }) {
        CAPTURE(it.text);
        CHECK(read(it.text) == it.error);
    }
    CHECK(read(std::string(100'000, '[')).starts_with("bad_request"));
    CHECK(read("{\"a\":" + std::string(100'000, '[')).starts_with("bad_request"));
}
