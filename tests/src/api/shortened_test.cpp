// An answer that no letter of a fleet has room for.
#include "src/api/shortened.hpp"

#include "src/wire/json.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;

TEST_CASE("shortened: what has no long string is as it was, whatever it is") {
    for (const std::string json :
         {R"({"id":"1","n":[1,null,true,{"text":"x"}]})", "[]", "no JSON"}) {
        CHECK(api::shortened(json) == json);
    }
}

TEST_CASE("shortened: long strings end after 1,000 octets, at any depth, and hex stays hex") {
    const wire::Json row{{"text", std::string(999, 'a') + "é" + std::string(500, 'a')},
                         {"data", std::string(2'000, 'F')},
                         {"short", std::string(1'000, 's')}};
    const auto cut = wire::Json::parse(
        api::shortened(wire::Json{{"messages", wire::Json::array({row})}, {"next", "7"}}.dump()));
    CHECK(cut["cut"] == true);
    CHECK(cut["next"] == "7");
    CHECK(cut["messages"][0]["text"] == std::string(999, 'a') + "…");
    CHECK(cut["messages"][0]["data"] == std::string(1'000, 'F'));
    CHECK(cut["messages"][0]["short"] == row["short"]);
}
