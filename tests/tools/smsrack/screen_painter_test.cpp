#include "tools/smsrack/screen/screen_painter.hpp"

#include <doctest/doctest.h>

using namespace smsrack::cli;

TEST_CASE("ScreenPainter: the first screen is whole, then only what changed is written") {
    ScreenPainter painter(false);
    const ScreenSize size{.rows = 3, .columns = 10};
    CHECK(painter.next({{"a"}, {"b"}}, size) == "\x1B[0m\x1B[2J\x1B[1;1Ha\x1B[K\x1B[2;1Hb\x1B[K");
    CHECK(painter.next({{"a"}, {"b"}}, size).empty());
    CHECK(painter.next({{"a"}, {"c"}, {"d"}}, size) == "\x1B[2;1Hc\x1B[K\x1B[3;1Hd\x1B[K");
    CHECK(painter.next({{"a"}}, size) == "\x1B[2;1H\x1B[K\x1B[3;1H\x1B[K");
    painter.forget();
    CHECK(painter.next({{"a"}}, size) == "\x1B[0m\x1B[2J\x1B[1;1Ha\x1B[K");
}

TEST_CASE(
    "ScreenPainter: nothing reaches the last column, and no more lines than the terminal has") {
    ScreenPainter painter(false);
    const std::string out =
        painter.next({{"0123456789"}, {"日本日本日本"}, {"x"}}, {.rows = 2, .columns = 10});
    CHECK(out == "\x1B[0m\x1B[2J\x1B[1;1H012345678\x1B[K\x1B[2;1H日本日本\x1B[K");
}

TEST_CASE(
    "ScreenPainter: colours only where they are wanted, and nothing that speaks to the terminal") {
    const std::vector<ScreenLine> lines{{"bad", Ink::bad}, {"\x1B[2J"}};
    const ScreenSize size{.rows = 2, .columns = 20};
    CHECK(ScreenPainter(true).next(lines, size).contains("\x1B[31mbad\x1B[0m"));
    const std::string plain = ScreenPainter(false).next(lines, size);
    CHECK_FALSE(plain.contains("\x1B[31m"));
    CHECK(plain.contains("\\x1B[2J"));
}
