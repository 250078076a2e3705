#include "tools/smsrack/firmware/box_time.hpp"

#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using cli::better_time;
using cli::modem_clock;

namespace {

WallTime at(std::string_view text) {
    return time_of(text).value();
}

const WallTime now = at("2026-11-22T23:18:27Z");
const WallTime never_set = at("2004-01-01T00:03:00Z");

}  // namespace

TEST_CASE("box time: a modem's clock with its zone, and what is none") {
    struct Row {
        const char* line;
        const char* time;  // nullptr: none
    };
    for (const Row& row : {
             Row{"+CCLK: \"26/11/22,23:18:27\"", nullptr},
             Row{"+CCLK: \"26/11/23,00:18:27+04\"", "2026-11-22T23:18:27Z"},
             Row{"+CCLK: \"26/11/22,15:48:27-30\"", "2026-11-22T23:18:27Z"},
             Row{"+CCLK: \"26/11/22,23:18:27+00\"", "2026-11-22T23:18:27Z"},
             Row{"+CCLK: \"26/13/22,23:18:27\"", nullptr},
             Row{"+CCLK: \"26/11/22,23:18:27+57\"", nullptr},
             Row{"+CCLK: \"26/11/22,23:18:27 04\"", nullptr},
             Row{"+CCLK: \"26/11/22,23:18:27+4x\"", nullptr},
             Row{"+CCLK: \"26/11/22,23:18:27+\"", nullptr},
             Row{"+CCLK: \"26/11/22,23:18", nullptr},
             Row{"+CCLK: \"\"", nullptr},
             Row{"OK", nullptr},
             Row{"", nullptr},
         }) {
        CAPTURE(row.line);
        const auto time = modem_clock(row.line);
        CHECK(time.has_value() == (row.time != nullptr));
        if (time && row.time != nullptr) {
            CHECK(time_text(*time) == time_text(at(row.time)));
        }
    }
}

TEST_CASE("box time: a box that is behind gets the time of two witnesses or more, the latest") {
    CHECK(better_time({.box = now - 24h, .modems = {now - 2s, now, now + 1s}}) == now + 1s);
    CHECK(better_time({.box = now - 24h, .modems = {never_set, now, now - 3s, never_set}}) == now);
    CHECK(better_time({.box = now - 24h, .modems = {now}, .messages = {now - 14min}}) == now);
    CHECK(better_time({.box = now - 24h, .messages = {now - 9min, now}}) == now);
}

TEST_CASE("box time: one alone sets nothing") {
    CHECK_FALSE(better_time({.box = now - 24h, .modems = {now}}));
    CHECK_FALSE(better_time({.box = now - 24h, .messages = {now}}));
    CHECK_FALSE(better_time({.box = now - 24h, .modems = {never_set, now, never_set}}));
    CHECK_FALSE(better_time({.box = now - 24h, .modems = {now - 1h}, .messages = {now}}));
}

TEST_CASE("box time: it stays where it is right, and where nothing better is known") {
    CHECK_FALSE(better_time({.box = now, .modems = {now + 59s, now + 59s}}));
    CHECK(better_time({.box = now, .modems = {now + 60s, now + 60s}}) == now + 60s);
    CHECK_FALSE(better_time({.box = now}));
    CHECK_FALSE(better_time({.box = now, .modems = {never_set, never_set}}));
}

TEST_CASE("box time: it is never set back") {
    CHECK_FALSE(better_time({.box = now, .modems = {now - 2h, now - 2h}}));
    CHECK_FALSE(better_time({.box = now, .messages = {now - 2h, now - 2h}}));
}

TEST_CASE("box time: witnesses that contradict each other set nothing; half of them do") {
    CHECK_FALSE(better_time({.box = now - 24h, .modems = {now, now + 1h, now + 9h}}));
    CHECK_FALSE(
        better_time({.box = now - 24h, .modems = {now, now + 1s, now + 1h, now + 9h, now + 20h}}));
    CHECK(better_time({.box = now - 24h, .modems = {now, now + 1s, now + 1h, now + 9h}}) ==
          now + 1s);
}
