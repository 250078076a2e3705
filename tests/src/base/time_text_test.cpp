#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {
constexpr WallTime noon = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 12h;
}

TEST_CASE("time_text: UTC with milliseconds, and back") {
    CHECK(time_text(noon) == "2026-11-21T12:00:00.000Z");
    CHECK(time_text(noon + 1h + 2min + 3s + 45ms) == "2026-11-21T13:02:03.045Z");
    CHECK(time_text(WallTime(-1ms)) == "1969-12-31T23:59:59.999Z");
    for (const WallTime time :
         {noon, noon + 999ms, WallTime(-1ms), WallTime(0ms),
          WallTime(std::chrono::sys_days(std::chrono::year(0) / 1 / 1)),
          WallTime(std::chrono::sys_days(std::chrono::year(10'000) / 1 / 1)) - 1ms}) {
        CHECK(time_of(time_text(time)).value() == time);
    }
}

TEST_CASE("time_of: zones and decimals as RFC 3339 allows them") {
    struct Case {
        std::string text;
        WallTime time;
    };
    for (const Case& it : {
             Case{"2026-11-21T12:00:00Z", noon},
             Case{"2026-11-21t12:00:00z", noon},
             Case{"2026-11-21T13:30:00+01:30", noon},
             Case{"2026-11-20T23:00:00-13:00", noon},
             Case{"2026-11-21T12:00:00.5Z", noon + 500ms},
             Case{"2026-11-21T12:00:00.123456789Z", noon + 123ms},
             Case{"2024-02-29T00:00:00Z", std::chrono::sys_days(std::chrono::year(2024) / 2 / 29)},
             Case{"2026-11-21T11:59:60Z", noon},
         }) {
        CAPTURE(it.text);
        CHECK(time_of(it.text).value() == it.time);
    }
}

TEST_CASE("time_of: what is no time is refused") {
    for (const std::string text :
         {"", "now", "2026-11-21", "2026-11-21T12:00:00", "2026-11-21 12:00:00Z",
          "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-11-21T24:00:00Z",
          "2026-11-21T12:60:00Z", "2026-11-21T12:00:61Z", "2026-11-21T12:00:00.Z",
          "2026-11-21T12:00:00+1:00", "2026-11-21T12:00:00+24:00", "2026-11-21T12:00:00Zx",
          "+2026-11-21T12:00:00Z", "2026-11-21T12:00:00+0100", "0000-01-01T00:00:00+00:01",
          "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z"}) {
        CAPTURE(text);
        CHECK_FALSE(time_of(text));
    }
}
