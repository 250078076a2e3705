#include "tools/smsrack/screen/time_style.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <string>

using namespace smsrack::cli;

namespace {

/// The zone of the process, for as long as this exists.
class ZoneGuard {
public:
    explicit ZoneGuard(const char* zone) {
        const char* before = std::getenv("TZ");
        before_ = before == nullptr ? "" : before;
        ::setenv("TZ", zone, 1);
        ::tzset();
    }
    ~ZoneGuard() {
        if (before_.empty()) {
            ::unsetenv("TZ");
        } else {
            ::setenv("TZ", before_.c_str(), 1);
        }
        ::tzset();
    }

private:
    std::string before_;
};

constexpr const char* summer_and_winter = "CET-1CEST,M3.5.0,M10.5.0/3";

}  // namespace

TEST_CASE("times are UTC unless said, and what is no time stays") {
    const TimeStyle utc;
    CHECK(utc.to_seconds("2026-11-21T02:31:21.123Z") == "2026-11-21 02:31:21");
    CHECK(utc.to_milliseconds("2026-11-21T02:31:21.123Z") == "2026-11-21 02:31:21.123");
    CHECK(utc.of_day("2026-11-21T02:31:21.123Z") == "02:31:21");
    CHECK(utc.to_seconds("2026-11-21T02:31:21+02:00") == "2026-11-21T02:31:21+02:00");
    CHECK(utc.to_seconds("never-ever-ever-everZ") == "never-ever-ever-everZ");
    CHECK(utc.to_seconds("").empty());
    CHECK(utc.heading("SEEN") == "SEEN (UTC)");
    CHECK(utc.in_sentence("Expires at 2026-11-21T02:31:21Z.") ==
          "Expires at 2026-11-21T02:31:21Z.");
}

TEST_CASE("--local: the clock on the wall, in summer, in winter, and over midnight") {
    const ZoneGuard zone(summer_and_winter);
    const TimeStyle local(Zone::local);
    struct Case {
        const char* time;
        const char* shown;
    };
    for (const Case& one : {Case{"2026-11-21T02:31:21.123Z", "2026-11-21 03:31:21"},
                            Case{"2026-07-01T02:31:21.999Z", "2026-07-01 04:31:21"},
                            Case{"2026-12-31T23:30:00.000Z", "2027-01-01 00:30:00"},
                            Case{"2026-11-21T02:31:21Z", "2026-11-21 03:31:21"}}) {
        CAPTURE(one.time);
        CHECK(local.to_seconds(one.time) == one.shown);
    }
    CHECK(local.to_milliseconds("2026-11-21T02:31:21.123Z") == "2026-11-21 03:31:21.123");
    CHECK(local.heading("SEEN") == "SEEN (LOCAL)");
    CHECK(local.in_sentence("From 2026-11-21T02:31:21.123Z to 2026-11-21T05:00:00Z, é.") ==
          "From 2026-11-21 03:31:21.123 to 2026-11-21 06:00:00, é.");
    CHECK(local.in_sentence("no time") == "no time");
}
