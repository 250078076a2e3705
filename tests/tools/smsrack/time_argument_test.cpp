#include "tools/smsrack/messages/time_argument.hpp"

#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::cli;

TEST_CASE("time_before, time_after: a distance from now becomes a time, all else stays") {
    const WallTime now = time_of("2026-11-21T12:00:00Z").value();
    struct Case {
        const char* text;
        const char* before;
        const char* after;
    };
    for (const Case& one : {
             Case{"1h", "2026-11-21T11:00:00.000Z", "2026-11-21T13:00:00.000Z"},
             Case{"90m", "2026-11-21T10:30:00.000Z", "2026-11-21T13:30:00.000Z"},
             Case{"30s", "2026-11-21T11:59:30.000Z", "2026-11-21T12:00:30.000Z"},
             Case{"1d12h", "2026-11-20T00:00:00.000Z", "2026-11-23T00:00:00.000Z"},
             Case{"2w", "2026-11-07T12:00:00.000Z", "2026-12-05T12:00:00.000Z"},
             Case{"0s", "2026-11-21T12:00:00.000Z", "2026-11-21T12:00:00.000Z"},
         }) {
        CAPTURE(one.text);
        CHECK(time_before(one.text, now) == one.before);
        CHECK(time_before(std::string("-") + one.text, now) == one.before);
        CHECK(time_after(one.text, now) == one.after);
        CHECK(time_after(std::string("+") + one.text, now) == one.after);
    }
    for (const char* text : {"", "+", "-", "1", "h", "1x", "1h2", "2026-01-01T00:00:00Z", "1.5h",
                             "99999999999999999999h", "2000000w", "+-1h", "yesterday"}) {
        CAPTURE(text);
        CHECK(time_before(text, now) == text);
        CHECK(time_after(text, now) == text);
    }
}
