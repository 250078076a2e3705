#include "src/base/time_zone.hpp"

#include "src/base/time_text.hpp"
#include "tests/support/read_file.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

TimeZone zone_of(const std::string& name) {
    auto zone = TimeZone::parse(test::read_file("/usr/share/zoneinfo/" + name));
    REQUIRE_MESSAGE(zone, (zone ? name : zone.error().context));
    return *zone;
}

WallTime moment(const char* text) {
    const auto time = time_of(text);
    REQUIRE(time);
    return *time;
}

}  // namespace

TEST_CASE("TimeZone: a day begins and ends with the first instants of its dates") {
    struct Row {
        const char* so;
        const char* zone;
        const char* time;
        const char* day_start;
        const char* day_end;
    };
    for (const Row& row : {
             Row{"winter", "Europe/Paris", "2026-01-15T12:00:00Z", "2026-01-14T23:00:00Z",
                 "2026-01-15T23:00:00Z"},
             Row{"summer", "Europe/Paris", "2026-07-15T21:59:59.999Z", "2026-07-14T22:00:00Z",
                 "2026-07-15T22:00:00Z"},
             Row{"a day of 23 hours", "Europe/Paris", "2026-03-29T12:00:00Z",
                 "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"},
             Row{"a day of 25 hours", "Europe/Paris", "2026-10-25T12:00:00Z",
                 "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"},
             Row{"after the table of the file: by its rule", "Europe/Paris", "2061-07-15T12:00:00Z",
                 "2061-07-14T22:00:00Z", "2061-07-15T22:00:00Z"},
             Row{"the southern half, summer over new year", "Australia/Sydney",
                 "2050-01-01T00:00:00Z", "2049-12-31T13:00:00Z", "2050-01-01T13:00:00Z"},
             Row{"00:00 is not: the clocks go from 24:00 to 01:00", "America/Havana",
                 "2026-03-08T12:00:00Z", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"},
             Row{"half an hour of summer", "Australia/Lord_Howe", "2026-04-05T03:00:00Z",
                 "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z"},
             Row{"quarters of an hour", "Asia/Kathmandu", "2026-06-01T00:00:00Z",
                 "2026-05-31T18:15:00Z", "2026-06-01T18:15:00Z"},
             Row{"a date that never was (Samoa changed sides)", "Pacific/Apia",
                 "2011-12-30T05:00:00Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"},
             Row{"UTC", "Etc/UTC", "2026-02-28T23:59:59Z", "2026-02-28T00:00:00Z",
                 "2026-03-01T00:00:00Z"},
         }) {
        CAPTURE(row.so);
        const CalendarSpan span = zone_of(row.zone).span_of(moment(row.time));
        CHECK(time_text(span.day_start) == time_text(moment(row.day_start)));
        CHECK(time_text(span.day_end) == time_text(moment(row.day_end)));
        CHECK(span.holds(moment(row.time)));
    }
}

TEST_CASE("TimeZone: each day of thirty years follows the one before, without a gap") {
    for (const char* name : {"Europe/Paris", "America/Havana", "Australia/Lord_Howe"}) {
        CAPTURE(name);
        const TimeZone zone = zone_of(name);
        CalendarSpan span = zone.span_of(moment("2020-06-01T00:00:00Z"));
        for (int day = 0; day < 30 * 365; ++day) {
            const CalendarSpan next = zone.span_of(span.day_end);
            REQUIRE(next.day == span.day + 1);
            REQUIRE(next.day_start == span.day_end);
            REQUIRE(next.month >= span.month);
            REQUIRE((next.month == span.month) == (span.day_end < span.month_end));
            span = next;
        }
    }
}

TEST_CASE("TimeZone: a month is the calendar's, and its number grows by one a month") {
    const TimeZone zone = zone_of("Europe/Paris");
    const CalendarSpan january = zone.span_of(moment("2026-01-31T22:59:59.999Z"));
    CHECK(january.month == 2026 * 12);
    CHECK(time_text(january.month_end) == "2026-01-31T23:00:00.000Z");
    CHECK(zone.span_of(january.month_end).month == 2026 * 12 + 1);
}

TEST_CASE("TimeZone: an octet more or less is not a zone, and does no harm") {
    const std::string octets = test::read_file("/usr/share/zoneinfo/Europe/Paris");
    for (std::size_t length = 0; length < octets.size(); ++length) {
        CAPTURE(length);
        const auto zone = TimeZone::parse(octets.substr(0, length));
        REQUIRE_FALSE(zone);
        CHECK(zone.error().code == Errc::protocol);
    }
    CHECK_FALSE(TimeZone::parse("hello"));
}

TEST_CASE("PosixZone: rules that are none are refused") {
    for (const char* text :
         {"", "CE-1", "CET", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0/3",
          "CET-1CEST,M3.6.0,M10.5.0/3", "CET-1CEST,M3.5.7,M10.5.0/3", "CET-1CEST,J0,J365",
          "CET-1CEST,M3.5.0,M10.5.0/3x", "<CET-1", "CET-25", "CET-1CEST-25,0,1"}) {
        CAPTURE(text);
        CHECK_FALSE(PosixZone::parse(text));
    }
}

TEST_CASE("PosixZone: days of the year count the leap day or not, as the rule says") {
    const auto without = PosixZone::parse("AAA0BBB,J60,J300");
    const auto with = PosixZone::parse("AAA0BBB,60,300");
    REQUIRE(without);
    REQUIRE(with);
    const auto before = std::chrono::floor<std::chrono::seconds>(moment("2028-02-29T12:00:00Z"));
    CHECK(without->offset_at(before) == 0s);
    CHECK(without->offset_at(before + 24h) == 1h);  // J60 is the first of March
    CHECK(with->offset_at(before) == 0s);
    CHECK(with->offset_at(before + 24h) == 1h);  // day 60 from 0 is the first of March in 2028
    const auto plain = std::chrono::floor<std::chrono::seconds>(moment("2027-03-01T12:00:00Z"));
    CHECK(without->offset_at(plain) == 1h);
    CHECK(with->offset_at(plain) == 0s);
}
