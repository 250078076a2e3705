#include "drivers/gsm/inbox/pdu_reading.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace smsrack::gsm {
namespace {

using at::FinalKind;
using at::FinalResult;

constexpr Place place{Memory::sm, 3};
constexpr FinalResult read_ok{FinalKind::ok};
constexpr FinalResult read_busy{FinalKind::cms_error, 314};

// One octet of a service centre field, three of TPDU.
constexpr std::string_view header = "+CMGR: 0,,3";
constexpr std::string_view pdu = "00040B91";

PduReading reading_of(std::string_view header_line, std::string_view pdu_line) {
    PduReading reading;
    reading.begin();
    if (!header_line.empty()) {
        reading.take_header(header_line);
    }
    if (!pdu_line.empty()) {
        reading.take_pdu(pdu_line);
    }
    return reading;
}

}  // namespace

TEST_CASE("judge_reading: what one reading of a place says") {
    struct Case {
        const char* what;
        std::string_view header;
        std::string_view pdu;
        FinalResult result;
        ReadVerdict verdict;
    };
    for (const Case& c : {
             Case{"length and PDU fit", header, pdu, read_ok, ReadVerdict::whole},
             Case{"an octet was lost", header, "00040B", read_ok, ReadVerdict::again},
             Case{"the header was lost", "", pdu, read_ok, ReadVerdict::again},
             Case{"a message to be sent", "+CMGR: 2,,3", pdu, read_ok, ReadVerdict::not_ours},
             Case{"the modem says that it is empty", "+CMGR: 0,,0", "", read_ok, ReadVerdict::gone},
             Case{"an OK alone", "", "", read_ok, ReadVerdict::doubtful},
             Case{"no such place", "", "", {FinalKind::cms_error, 321}, ReadVerdict::gone},
             Case{"a busy SIM", "", "", read_busy, ReadVerdict::again},
         }) {
        CAPTURE(c.what);
        PlaceTrouble trouble;
        CHECK(judge_reading(reading_of(c.header, c.pdu), c.result, place, trouble).verdict ==
              c.verdict);
        const bool is_open = c.verdict == ReadVerdict::again || c.verdict == ReadVerdict::doubtful;
        CHECK(trouble.has(place) == is_open);
    }
}

TEST_CASE("judge_reading: a second OK alone says that the place is empty") {
    PlaceTrouble trouble;
    CHECK(judge_reading({}, read_ok, place, trouble).verdict == ReadVerdict::doubtful);
    CHECK(judge_reading({}, read_ok, place, trouble).verdict == ReadVerdict::gone);
    CHECK(judge_reading({}, read_ok, place, trouble).verdict == ReadVerdict::doubtful);
}

TEST_CASE(
    "judge_reading: equal torn readings are what the modem has, differing ones are read again") {
    PlaceTrouble trouble;
    const auto verdict = [&](std::string_view torn) {
        return judge_reading(reading_of(header, torn), read_ok, place, trouble).verdict;
    };
    for (const char* torn : {"00", "0004", "00", "0004", "00040B", "00040B"}) {
        CAPTURE(torn);
        CHECK(verdict(torn) == ReadVerdict::again);
    }
    CHECK(verdict("00040B") == ReadVerdict::unreadable);
    CHECK_FALSE(trouble.has(place));
}

TEST_CASE("judge_reading: a place that is refused three times is left to the next sweep") {
    PlaceTrouble trouble;
    CHECK(judge_reading({}, read_busy, place, trouble).pause.count() > 0);
    CHECK(judge_reading({}, read_busy, place, trouble).verdict == ReadVerdict::again);
    CHECK(judge_reading({}, read_busy, place, trouble).verdict == ReadVerdict::given_up);
    CHECK(judge_reading({}, read_busy, place, trouble).verdict == ReadVerdict::again);
}

}  // namespace smsrack::gsm
