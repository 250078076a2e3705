#include "tools/smsrack/screen/table.hpp"

#include "src/wire/json.hpp"
#include "tools/smsrack/screen/json_fields.hpp"
#include "tools/smsrack/screen/json_table.hpp"
#include "tools/smsrack/screen/progress_bar.hpp"
#include "tools/smsrack/screen/wrap.hpp"

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
    CHECK(pairs_text(pairs_of(array[0], first), Console({})) == "at  2026-11-21 02:31:21\nb   1\n");
}

TEST_CASE("Table: where the terminal is too narrow texts are wrapped, then columns are left out") {
    Table table({{"ID", Align::right},
                 {"STATE", Align::left, 1},
                 {"PORT", Align::left, 2},
                 {"TEXT", Align::left, 0, Fit::wraps}});
    table.add({"1", "sent", "/dev/ttyUSB0", "the lift in the east wing is repaired"});
    struct Case {
        std::size_t columns;
        const char* text;
    };
    for (const Case& one : {
             Case{0,
                  "ID  STATE  PORT          TEXT\n"
                  " 1  sent   /dev/ttyUSB0  the lift in the east wing is repaired\n"},
             Case{61,
                  "ID  STATE  PORT          TEXT\n"
                  " 1  sent   /dev/ttyUSB0  the lift in the east wing is\n"
                  "                         repaired\n"},
             Case{38,
                  "ID  STATE  TEXT\n"
                  " 1  sent   the lift in the east wing\n"
                  "           is repaired\n"
                  "(Too narrow for: PORT. --wide shows\n"
                  "all.)\n"},
             Case{20,
                  "ID  TEXT\n"
                  " 1  the lift in the\n"
                  "    east wing is\n"
                  "    repaired\n"
                  "(Too narrow for:\n"
                  "STATE, PORT. --wide\n"
                  "shows all.)\n"},
         }) {
        CAPTURE(one.columns);
        CHECK(table.text(Console({.out_columns = one.columns}), "") == one.text);
    }
}

TEST_CASE("Table: no line is ever wider than the terminal") {
    Table table({{"NAME"}, {"A LONG HEADING", Align::right}, {"NUMBER"}, {"日本", Align::left, 1}});
    table.add({"a-name-without-any-blank", "1", "+33612345678", "日本日本日本"});
    table.add({"b", "123456789012345", "", "x"});
    for (std::size_t columns = 12; columns < 90; ++columns) {
        CAPTURE(columns);
        const std::string text = table.text(Console({.out_columns = columns}), "");
        for (std::size_t from = 0; from < text.size(); from = text.find('\n', from) + 1) {
            const std::string line = text.substr(from, text.find('\n', from) - from);
            CAPTURE(line);
            CHECK(columns_of(line) <= columns);
        }
    }
}

TEST_CASE("pairs_text: a long value continues below itself") {
    CHECK(pairs_text({{"up", "1 d"}, {"messages", "queued 3, sent 5, failed 2, expired 1"}},
                     Console({.out_columns = 34})) ==
          "up        1 d\n"
          "messages  queued 3, sent 5, failed\n"
          "          2, expired 1\n");
}

TEST_CASE("bar_text: from empty to full") {
    CHECK(bar_text(0, 100) == "[....................]   0 %");
    CHECK(bar_text(50, 100) == "[##########..........]  50 %");
    CHECK(bar_text(200, 100) == "[####################] 100 %");
    CHECK(bar_text(5, 0) == "[....................]   0 %");
}
