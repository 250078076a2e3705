#include "src/smpp/times.hpp"

#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

#include <string_view>

using namespace smsrack;

namespace {

const WallTime now = time_of("2026-01-31T10:00:00Z").value();

std::string read(std::string_view text) {
    const auto time = smpp::time_of(text, now);
    return time ? time_text(*time) : "none";
}

}  // namespace

TEST_CASE("smpp times: an absolute time has a zone in quarter hours") {
    CHECK(read("2611271230455004") == "none");
    CHECK(read("261127123045004+") == "2026-11-27T11:30:45.000Z");
    CHECK(read("261127123045304-") == "2026-11-27T13:30:45.300Z");
    CHECK(read("261127123045000+") == "2026-11-27T12:30:45.000Z");
}

TEST_CASE("smpp times: a relative time counts from now, by the calendar") {
    CHECK(read("000000010000000R") == "2026-01-31T11:00:00.000Z");
    CHECK(read("000002000000000R") == "2026-02-02T10:00:00.000Z");
    CHECK(read("000100000000000R") == "2026-02-28T10:00:00.000Z");
    CHECK(read("010000000130000R") == "2027-01-31T10:01:30.000Z");
}

TEST_CASE("smpp times: what is no time is none") {
    for (const std::string_view text :
         {"", "26112712304500", "26112712304500X+", "261327123045000+", "260230123045000+",
          "261127243045000+", "261127126045000+", "261127123060000+", "261127123045049+"}) {
        CAPTURE(text);
        CHECK(read(text) == "none");
    }
}

TEST_CASE("smpp times: they are written in UTC") {
    const WallTime time = time_of("2026-11-27T12:03:09.876Z").value();
    CHECK(smpp::absolute_time(time) == "261127120309000+");
    CHECK(smpp::receipt_time(time) == "2611271203");
}
