#include "src/trigger/event_age.hpp"

#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("event time: RFC 3339 in any zone, or seconds since 1970; nothing else") {
    struct Row {
        const char* text;
        const char* time;  // empty: no time
    };
    for (const Row& row : {
             Row{"2026-11-21T22:46:00Z", "2026-11-21T22:46:00.000Z"},
             Row{"2026-11-21T23:46:00.5+01:00", "2026-11-21T22:46:00.500Z"},
             Row{"1763765212", "2025-11-21T22:46:52.000Z"},
             Row{"1763765212.125", "2025-11-21T22:46:52.125Z"},
             Row{"0", "1970-01-01T00:00:00.000Z"},
             Row{"1763765212125", ""},  // milliseconds: in no year that there is
             Row{"-1", ""},
             Row{"1e9", ""},
             Row{"nan", ""},
             Row{"", ""},
             Row{"yesterday", ""},
             Row{"2026-11-21", ""},
             Row{"12 ", ""},
         }) {
        CAPTURE(row.text);
        const auto time = trigger::event_time(row.text);
        REQUIRE(time.has_value() == (row.time[0] != '\0'));
        if (time) {
            CHECK(time_text(*time) == row.time);
        } else {
            CHECK(time.error().code == Errc::bad_request);
        }
    }
}

TEST_CASE("event age: fresh up to the limit, from the future as from now, without a limit always") {
    const WallTime now = *time_of("2026-11-21T12:00:00Z");
    const SteadyTime steady = SteadyTime{} + 1h;
    struct Row {
        const char* what;
        const char* happened;
        std::chrono::seconds max;
        std::chrono::milliseconds left;  // of its freshness; below 0: too old
    };
    for (const Row& row : {
             Row{"now", "2026-11-21T12:00:00Z", 3'600s, 3'600s},
             Row{"half an hour ago", "2026-11-21T11:30:00Z", 3'600s, 1'800s},
             Row{"as old as may be", "2026-11-21T11:00:00Z", 3'600s, 0s},
             Row{"a millisecond more", "2026-11-21T10:59:59.999Z", 3'600s, -1ms},
             Row{"older than the steady clock can say", "0000-01-01T00:00:00Z", 3'600s, -1ms},
             Row{"from the future", "2026-11-21T13:00:00Z", 3'600s, 3'600s},
             Row{"from far away", "9999-12-31T23:59:59Z", 3'600s, 3'600s},
         }) {
        CAPTURE(row.what);
        const trigger::AgeLimit limit{row.max};
        CHECK(limit.fresh_until(*time_of(row.happened), now, steady) == steady + row.left);
    }
    CHECK(trigger::AgeLimit{0s}.fresh_until(*time_of("0000-01-01T00:00:00Z"), now, steady) ==
          never);
}
