#include "drivers/gsm/inbox/pdu_reading.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {

TEST_CASE("PduReading: is whole, empty, torn, or nothing that came in") {
    struct Case {
        const char* what;
        const char* header;
        const char* pdu;
        bool piece;
        bool whole;
        bool empty;
        bool to_send;
    };
    for (const Case& one : {
             Case{"a message", "+CMGR: 0,,2", "00AABB", false, true, false, false},
             Case{"a report", "+CMGR: 1,2", "00AABB", false, true, false, false},
             Case{"a draft", "+CMGR: 2,,2", "00AABB", false, true, false, true},
             Case{"octets lost from the PDU", "+CMGR: 0,,2", "00AA", false, false, false, false},
             Case{"half an octet lost", "+CMGR: 0,,2", "00AAB", false, false, false, false},
             Case{"octets lost from the length", "+CMGR: 0,,", "00AABB", false, false, false,
                  false},
             Case{"OK alone", "", "", false, false, true, false},
             Case{"a length of 0", "+CMGR: 0,,0", "", false, false, true, false},
             Case{"OK, and a piece of something", "", "", true, false, false, false},
             Case{"a header, and no PDU", "+CMGR: 0,,2", "", false, false, false, false},
         }) {
        CAPTURE(one.what);
        PduReading reading;
        reading.begin();
        if (*one.header != '\0') {
            reading.take_header(one.header);
        }
        if (*one.pdu != '\0') {
            reading.take_pdu(one.pdu);
        }
        if (one.piece) {
            reading.take_piece("}}");
        }
        CHECK(reading.is_whole() == one.whole);
        CHECK(reading.is_empty() == one.empty);
        CHECK(reading.is_to_send() == one.to_send);
    }
}

TEST_CASE("PduReading: what has no even number of digits is kept as its characters") {
    PduReading reading;
    reading.begin();
    reading.take_header("+CMGR: 0,,2");
    reading.take_pdu("00AAB");
    CHECK(reading.octets() == "00AAB");
    CHECK(reading.text() == "+CMGR: 0,,2\n00AAB\n");
}

TEST_CASE("PduReading: what nothing explains belongs to the reading, so torn ones are not equal") {
    PduReading one;
    PduReading other;
    for (PduReading* reading : {&one, &other}) {
        reading->begin();
        reading->take_piece(reading == &one ? "GR: 0,,2" : "R: 0,,2");
        reading->take_piece("00AABB");
    }
    CHECK(one.text() != other.text());
    CHECK(one.octets() == "GR: 0,,200AABB");
}

}  // namespace smsrack::gsm
