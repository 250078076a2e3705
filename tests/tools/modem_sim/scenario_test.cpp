#include "tools/modem_sim/scenario.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("a scenario is orders with their times; comments and empty lines are for people") {
    const auto steps = modem_sim::parse_scenario(
        "# a bad morning\n\n{\"t\":0.5,\"do\":\"hang\",\"modem\":1}\n"
        "{\"t\":60,\"do\":\"inbound\",\"from\":\"+33611223344\",\"text\":\"hello\"}",
        2);
    REQUIRE(steps);
    REQUIRE(steps->size() == 2);
    CHECK((*steps)[0].at == 500ms);
    CHECK((*steps)[0].order == wire::Json{{"do", "hang"}, {"modem", 1}});
    CHECK((*steps)[1].at == 60s);
}

TEST_CASE("a scenario that a rack can't play is refused with its line") {
    struct Wrong {
        const char* so;
        std::string_view text;
        std::string_view says;
    };
    for (const Wrong& wrong : {
             Wrong{"no JSON", "hang", "line 1: "},
             Wrong{"no object", "[1]", "line 1: expected an object"},
             Wrong{"no time", R"({"do":"hang"})", "line 1: expected an object with a number t"},
             Wrong{"before the start", R"({"t":-1,"do":"hang"})", "line 1: t is out of range"},
             Wrong{"no such order", R"({"t":1,"do":"explode"})", "line 1: do: unknown: explode"},
             Wrong{"no such modem", R"({"t":1,"do":"hang","modem":8})", "line 1: modem must be"},
             Wrong{"a wrong member", R"({"t":1,"do":"ring","count":"x"})", "line 1: count must be"},
             Wrong{"time goes back", "{\"t\":2,\"do\":\"hang\"}\n{\"t\":1,\"do\":\"unhang\"}",
                   "line 2: t goes back"},
         }) {
        CAPTURE(wrong.so);
        const auto steps = modem_sim::parse_scenario(wrong.text, 8);
        REQUIRE_FALSE(steps);
        CAPTURE(steps.error().context);
        CHECK(steps.error().context.starts_with(wrong.says));
    }
}

TEST_CASE("the scenarios in the tree can be played by a rack of eight") {
    std::size_t read = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(SMSRACK_SOURCE_DIR "/tests/scenarios")) {
        CAPTURE(file.path().string());
        const auto steps = modem_sim::read_scenario(file.path(), 8);
        REQUIRE_MESSAGE(steps, (steps ? std::string() : steps.error().context));
        CHECK(steps->size() > 5);
        ++read;
    }
    CHECK(read >= 3);
}

TEST_CASE("a scenario that is not there is not found") {
    CHECK(modem_sim::read_scenario("/nowhere/day.jsonl", 8).error().code == Errc::not_found);
}
