#include "src/pdu/scts.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

using Raw = std::vector<std::uint8_t>;

TEST_CASE("time stamps: what the seven octets say") {
    struct Row {
        const char* so;
        Raw raw;
        const char* text;  // "": no real time
    };
    for (const Row& row : {
             Row{"two hours east",
                 {0x42, 0x60, 0x50, 0x21, 0x70, 0x54, 0x80},
                 "2024-06-05T12:07:45+02:00"},
             Row{"five hours west",
                 {0x42, 0x11, 0x30, 0x51, 0x95, 0x95, 0x0A},
                 "2024-11-03T15:59:59-05:00"},
             Row{"quarters",
                 {0x42, 0x11, 0x30, 0x51, 0x95, 0x95, 0x32},
                 "2024-11-03T15:59:59+05:45"},
             Row{"quarters west",
                 {0x42, 0x11, 0x30, 0x51, 0x95, 0x95, 0x49},
                 "2024-11-03T15:59:59-03:30"},
             Row{"minus zero",
                 {0x42, 0x11, 0x30, 0x51, 0x95, 0x95, 0x08},
                 "2024-11-03T15:59:59+00:00"},
             Row{"the largest zone",
                 {0x42, 0x11, 0x30, 0x51, 0x95, 0x95, 0x97},
                 "2024-11-03T15:59:59+19:45"},
             Row{"the largest zone west",
                 {0x42, 0x11, 0x30, 0x51, 0x95, 0x95, 0x9F},
                 "2024-11-03T15:59:59-19:45"},
             Row{"1990", {0x09, 0x10, 0x10, 0x00, 0x00, 0x00, 0x00}, "1990-01-01T00:00:00+00:00"},
             Row{"2089", {0x98, 0x21, 0x13, 0x32, 0x95, 0x95, 0x00}, "2089-12-31T23:59:59+00:00"},
             Row{"a leap day",
                 {0x42, 0x20, 0x92, 0x00, 0x00, 0x00, 0x00},
                 "2024-02-29T00:00:00+00:00"},
             Row{"no leap year", {0x32, 0x20, 0x92, 0x00, 0x00, 0x00, 0x00}, ""},
             Row{"month 13", {0x42, 0x31, 0x50, 0x21, 0x70, 0x54, 0x80}, ""},
             Row{"month 0", {0x42, 0x00, 0x50, 0x21, 0x70, 0x54, 0x80}, ""},
             Row{"day 0", {0x42, 0x60, 0x00, 0x21, 0x70, 0x54, 0x80}, ""},
             Row{"hour 24", {0x42, 0x60, 0x50, 0x42, 0x70, 0x54, 0x80}, ""},
             Row{"minute 60", {0x42, 0x60, 0x50, 0x21, 0x06, 0x54, 0x80}, ""},
             Row{"second 60", {0x42, 0x60, 0x50, 0x21, 0x70, 0x06, 0x80}, ""},
             Row{"a semi-octet above 9", {0x42, 0x60, 0x50, 0x2A, 0x70, 0x54, 0x80}, ""},
             Row{"a zone above 9", {0x42, 0x60, 0x50, 0x21, 0x70, 0x54, 0xA0}, ""},
             Row{"all FF", Raw(7, 0xFF), ""},
         }) {
        CAPTURE(row.so);
        const Timestamp stamp = timestamp_of(row.raw);
        CHECK(std::equal(row.raw.begin(), row.raw.end(), stamp.raw.begin()));
        CHECK((stamp.time ? std::string(stamp.time->rfc3339().view()) : std::string()) == row.text);
        if (stamp.time) {
            CHECK(parse_civil_time(row.text).has_value());
            const auto again = timestamp_of(make_timestamp(*parse_civil_time(row.text)));
            REQUIRE(again.time);
            CHECK(std::string(again.time->rfc3339().view()) == row.text);
        }
    }
}

TEST_CASE("time stamps: the zone counts towards UTC") {
    using namespace std::chrono;
    const auto east = parse_civil_time("2024-06-05T12:07:45+02:00");
    const auto west = parse_civil_time("2024-06-05T06:37:45-03:30");
    const auto utc = parse_civil_time("2024-06-05T10:07:45Z");
    REQUIRE((east && west && utc));
    CHECK(utc->wall() == WallTime{sys_days{2024y / June / 5d} + 10h + 7min + 45s});
    CHECK(east->wall() == utc->wall());
    CHECK(west->wall() == utc->wall());
}

TEST_CASE("time stamps: a text that is no time, or none that fits, is refused") {
    for (const char* text : {"",
                             "2024-06-05",
                             "2024-06-05T12:07:45",
                             "2024-06-05 12:07:45Z",
                             "2024-06-05T12:07:45z",
                             "2024-06-05T12:07:45+02",
                             "2024-06-05T12:07:45+0200",
                             "2024-06-05T12:07:45+02:10",
                             "2024-06-05T12:07:45+20:00",
                             "2024-06-05T12:07:45+19:60",
                             "1989-12-31T23:59:59Z",
                             "2090-01-01T00:00:00Z",
                             "2023-02-29T00:00:00Z",
                             "2024-13-01T00:00:00Z",
                             "2024-06-05T24:00:00Z",
                             "2024-06-05T12:60:00Z",
                             "2024-06-05T12:00:60Z",
                             "2024-6-05T12:00:00Z",
                             "2024-06-05T12:07:45.5Z",
                             "+024-06-05T12:07:45Z",
                             "2024-0x-05T12:07:45Z",
                             "2024-06-05T12:07:45Z ",
                             "2024-06-05T12:07:45*02:00"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_civil_time(text).has_value());
    }
}

}  // namespace
}  // namespace smsrack::pdu
