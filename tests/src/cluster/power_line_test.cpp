#include "src/cluster/power_line.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::cluster;

TEST_CASE("power line: each order is a line, and is read as what it was") {
    for (std::size_t word = 0; word < ports::power_order_names.size(); ++word) {
        const auto what = static_cast<ports::PowerOrder>(word);
        const auto line = line_of({.what = what, .box = "paris-3"});
        REQUIRE(line);
        CHECK(*line == std::string(ports::power_order_names.at(word)) + " paris-3\n");
        const auto order = read_order(std::string_view(*line).substr(0, line->size() - 1));
        REQUIRE(order);
        CHECK(order->what == what);
        CHECK(order->box == "paris-3");
    }
}

TEST_CASE("power line: no name gets through that a program could take for something else") {
    for (const std::string name : {"", "-rf", ".", "../b", "a b", "a;b", "a\nb", "$(id)", "a/b",
                                   "b\xC3\xA9", "a23456789012345678901234567890123"}) {
        CAPTURE(name);
        CHECK_FALSE(may_be_ordered(name));
        CHECK(line_of({.box = name}).error().code == Errc::bad_request);
        CHECK_FALSE(read_order("wake " + name));
    }
    for (const std::string line : {"", "wake", "wake ", "sleep b1", "WAKE b1", " wake b1",
                                   "wake  b1", "wake b1 b2", "wake b1 "}) {
        CAPTURE(line);
        CHECK_FALSE(read_order(line));
    }
}

TEST_CASE("power line: what came of it is one line, however much the program said") {
    CHECK(line_of(PowerEnd{.code = 0}) == "exit 0\n");
    CHECK(line_of(PowerEnd{.code = 3, .words = "no\nanswer"}) == "exit 3 no answer\n");
    CHECK(line_of(PowerEnd{}) == "failed\n");
    const std::string longest = line_of(PowerEnd{.words = std::string(1'000, 'x')});
    CHECK(longest.size() == power_line_max);
    CHECK(longest.back() == '\n');

    CHECK(read_end("exit 0"));
    CHECK(read_end("exit 0 done"));
    CHECK(read_end("exit 3 no answer").error().context == "the program ended with 3: no answer");
    CHECK(read_end("exit 3").error().context == "the program ended with 3");
    CHECK(read_end("failed it ran for 60 s").error().context == "it ran for 60 s");
    CHECK(read_end("failed").error().code == Errc::conflict);
    // It goes into JSON.
    CHECK(read_end("exit 1 d\xE9j\xE0 \xC3\xA9").error().context ==
          "the program ended with 1: d\uFFFDj\uFFFD \u00E9");
    CHECK(read_end("failed \xFF").error().context == "\uFFFD");
    for (const char* const line : {"", "exit", "exit x", "ok", "exit0"}) {
        CAPTURE(line);
        CHECK(read_end(line).error().code == Errc::protocol);
    }
}
