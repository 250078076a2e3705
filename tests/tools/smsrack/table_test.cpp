#include "tools/smsrack/table.hpp"

#include "src/wire/json.hpp"
#include "tools/smsrack/json_fields.hpp"
#include "tools/smsrack/json_table.hpp"
#include "tools/smsrack/progress_bar.hpp"
#include "tools/smsrack/utf8.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace smsrack;
using namespace smsrack::cli;

TEST_CASE("Table: columns are aligned by what a terminal shows") {
    const Console console({});
    Table table({{"ID", Align::right}, {"TEXT"}, {"END"}});
    table.add({"1", "é", "a"});
    table.add({"100", "日本", "b"});
    table.add({"", "", ""});
    CHECK(table.text(console, "none") ==
          " ID  TEXT  END\n"
          "  1  é     a\n"
          "100  日本  b\n"
          "  -  -     -\n");
}

TEST_CASE("Table: without rows it says so in words") {
    CHECK(Table({{"A"}}).text(Console({}), "No messages.") == "No messages.\n");
}

TEST_CASE("Table: headings are bold only where there are colours") {
    Table table({{"A"}});
    table.add({"x"});
    CHECK(table.text(Console({.out_is_terminal = true}), "") == "A\nx\n");
    CHECK(table.text(Console({.out_is_terminal = true, .colour = true}), "") ==
          "\x1B[1mA\x1B[0m\nx\n");
}

TEST_CASE("printable: no received text can speak to the terminal") {
    CHECK(printable("a\nb") == "a\\nb");
    CHECK(printable("\x1B[2J") == "\\x1B[2J");
    CHECK(printable("\xC2\x9B") == "\\x9B");
    CHECK(printable("ok \xFF end") == "ok \uFFFD end");
    CHECK(printable("é€😀") == "é€😀");
    CHECK(printable("\u202Eevil") == "\\u{202E}evil");
}

TEST_CASE("utf8: what is no UTF-8 is seen") {
    CHECK(is_utf8("aé€😀"));
    for (const char* text : {"\x80", "\xC3", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80",
                             "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
        CAPTURE(text);
        CHECK_FALSE(is_utf8(text));
    }
    CHECK(columns_of("e\u0301") == 1);
    CHECK(columns_of("😀") == 2);
}

TEST_CASE("json tables: members named first stand first, all others follow") {
    const auto array = *wire::parse_json(
        R"([{"b":1,"at":"2026-11-21T02:31:21.123Z","x_y":null},{"b":2,"a":"t","list":[1],"x_y":true}])");
    const std::array<std::string_view, 2> first{"at", "nothing"};
    CHECK(table_of(array, first).text(Console({}), "") ==
          "AT                   A  B  X Y\n"
          "2026-11-21 02:31:21  -  1  -\n"
          "-                    t  2  true\n");
    CHECK(pairs_text(pairs_of(array[0], first)) == "at  2026-11-21 02:31:21\nb   1\n");
}

TEST_CASE("short_time: other texts stay") {
    CHECK(short_time("2026-11-21T02:31:21.123Z") == "2026-11-21 02:31:21");
    CHECK(short_time("2026-11-21T02:31:21+02:00") == "2026-11-21T02:31:21+02:00");
    CHECK(short_time("") == "");
}

TEST_CASE("bar_text: from empty to full") {
    CHECK(bar_text(0, 100) == "[....................]   0 %");
    CHECK(bar_text(50, 100) == "[##########..........]  50 %");
    CHECK(bar_text(200, 100) == "[####################] 100 %");
    CHECK(bar_text(5, 0) == "[....................]   0 %");
}
