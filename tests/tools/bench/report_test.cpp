#include "tools/bench/report.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::bench;

TEST_CASE("verdict: a figure is held against its bound first, then against its aim") {
    struct Case {
        double value;
        Goal goal;
        const char* expected;
    };
    for (const Case& one : {
             Case{1, {}, ""},
             Case{620, at_least(620), "meets"},
             Case{619.9, at_least(620), "below"},
             Case{25, at_most(25), "meets"},
             Case{25.1, at_most(25), "above"},
             Case{30'000, at_least(20'000, 50'000), "below aim"},
             Case{50'000, at_least(20'000, 50'000), "meets"},
             Case{19'000, at_least(20'000, 50'000), "below"},
             Case{9, at_most({}, 8), "above aim"},
             Case{8, at_most({}, 8), "meets"},
         }) {
        CAPTURE(one.value);
        CHECK(verdict({.value = one.value, .goal = one.goal}) == one.expected);
    }
}

TEST_CASE("report: the table lines up and says no more than there is") {
    const Report report{.question = "intake",
                        .conditions = {"eight modems"},
                        .figures = {{.name = "rate",
                                     .value = 6001.25,
                                     .unit = "/s",
                                     .goal = at_least(6000, 12'000)},
                                    {.name = "a longer name", .value = 3, .unit = "ms"}},
                        .notes = {"bounded by the disk"}};
    CHECK(table_of(report) ==
          "intake\n"
          "  eight modems\n"
          "  figure          measured      bound         aim\n"
          "  rate           6001.2 /s  >= 6000.0  >= 12000.0  below aim\n"
          "  a longer name     3.0 ms\n"
          "  - bounded by the disk\n");
}

TEST_CASE("report: JSON has the figures, their goals and what became of them") {
    const auto json =
        json_of({.question = "x",
                 .figures = {{.name = "a", .value = 2, .unit = "ms", .goal = at_most(1)},
                             {.name = "b", .value = 5}}});
    CHECK(
        json["figures"][0] ==
        wire::Json{
            {"name", "a"}, {"value", 2.0}, {"unit", "ms"}, {"at_most", 1.0}, {"verdict", "above"}});
    CHECK_FALSE(json["figures"][1].contains("verdict"));
}
