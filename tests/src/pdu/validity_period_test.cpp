#include "src/pdu/validity_period.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace smsrack::pdu {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::seconds;
using std::chrono::weeks;

ValidityPeriod read(ValidityFormat format, const std::vector<std::uint8_t>& octets) {
    Reader reader(octets);
    const ValidityPeriod period = read_validity_period(reader, format);
    REQUIRE_FALSE(reader.failed());
    CHECK(reader.rest().empty());
    return period;
}

TEST_CASE("relative TP-VP: all 256 values follow the four steps of 23.040 9.2.3.12.1") {
    seconds expected = 0s;
    for (unsigned value = 0; value < 256; ++value) {
        CAPTURE(value);
        if (value <= 143) {
            expected += 5min;
        } else if (value <= 167) {
            expected += 30min;
        } else if (value <= 196) {
            expected += days{1};
        } else {
            expected = value == 197 ? seconds{weeks{5}} : expected + weeks{1};
        }
        CHECK(relative_duration(static_cast<std::uint8_t>(value)) == expected);
        CHECK(read(ValidityFormat::relative, {static_cast<std::uint8_t>(value)}).duration() ==
              expected);
    }
    CHECK(expected == relative_duration_max);
}

TEST_CASE("relative TP-VP: what is left is never overstated, save below five minutes") {
    for (seconds left = -10s; left <= relative_duration_max + days{8};
         left += left < days{2} ? 13s : 7h + 11s) {
        CAPTURE(left.count());
        const std::uint8_t value = relative_validity(left);
        CHECK((value == 0 || relative_duration(value) <= left));
        CHECK((value == 255 || relative_duration(static_cast<std::uint8_t>(value + 1)) > left));
    }
    CHECK(relative_validity(seconds::max()) == 255);
}

TEST_CASE(
    "relative TP-VP: seconds asked for are rounded up, and no further than to the next value") {
    for (unsigned value = 0; value < 256; ++value) {
        const seconds exact = relative_duration(static_cast<std::uint8_t>(value));
        CHECK(relative_validity_at_least(exact) == value);
        if (value < 255) {
            CHECK(relative_validity_at_least(exact + 1s) == value + 1);
        }
    }
    CHECK(relative_validity_at_least(1s) == 0);
}

TEST_CASE("enhanced TP-VP: seconds, or none where the form is reserved or damaged") {
    struct Row {
        const char* so;
        std::vector<std::uint8_t> octets;
        std::optional<seconds> duration;
        bool single_shot = false;
    };
    for (const Row& row : {
             Row{"no period", {0x00, 0, 0, 0, 0, 0, 0}, std::nullopt},
             Row{"single shot without a period", {0x40, 0, 0, 0, 0, 0, 0}, std::nullopt, true},
             Row{"relative", {0x01, 0xA7, 0, 0, 0, 0, 0}, 24h},
             Row{"seconds", {0x02, 45, 0, 0, 0, 0, 0}, 45s},
             Row{"zero seconds are reserved", {0x02, 0, 0, 0, 0, 0, 0}, std::nullopt},
             Row{"hh:mm:ss", {0x03, 0x21, 0x43, 0x05, 0, 0, 0}, 12h + 34min + 50s},
             Row{"minute 60", {0x03, 0x21, 0x06, 0x05, 0, 0, 0}, std::nullopt},
             Row{"a semi-octet above 9", {0x03, 0x2A, 0x43, 0x05, 0, 0, 0}, std::nullopt},
             Row{"reserved forms", {0x04, 1, 1, 1, 1, 1, 1}, std::nullopt},
             Row{"an extension octet is skipped", {0x82, 0x00, 45, 0, 0, 0, 0}, 45s},
             Row{"extensions leave room for hh:mm:ss", {0x83, 0x80, 0x80, 0x00, 0x10, 0, 0}, 1h},
             Row{"extensions leave too little room",
                 {0x83, 0x80, 0x80, 0x80, 0x00, 0x10, 0},
                 std::nullopt},
             Row{"extensions to the end", {0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}, std::nullopt},
         }) {
        CAPTURE(row.so);
        const ValidityPeriod period = read(ValidityFormat::enhanced, row.octets);
        CHECK(period.duration() == row.duration);
        CHECK(period.single_shot() == row.single_shot);
    }
}

}  // namespace
}  // namespace smsrack::pdu
