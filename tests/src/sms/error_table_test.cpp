#include "src/sms/error_table.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

TEST_CASE("cause_info: the class of a code decides what happens next") {
    struct Row {
        const char* so;
        Cause cause;
        bool pdu_sent;
        CauseClass expected;
    };
    for (const Row& row : {
             Row{"an unassigned number stays one", {CodeKind::cms, 1}, true, CauseClass::permanent},
             Row{"500 before the PDU: nothing can have gone out",
                 {CodeKind::cms, 500},
                 false,
                 CauseClass::transient},
             Row{"500 after the PDU: it may have gone out",
                 {CodeKind::cms, 500},
                 true,
                 CauseClass::ambiguous},
             Row{"332 is always in doubt", {CodeKind::cms, 332}, true, CauseClass::ambiguous},
             Row{"an unlisted relay cause is the network's",
                 {CodeKind::cms, 60},
                 true,
                 CauseClass::network},
             Row{"an unlisted cause of the centre may pass",
                 {CodeKind::cms, 200},
                 true,
                 CauseClass::transient},
             Row{"an unlisted equipment error is the modem's",
                 {CodeKind::cms, 399},
                 true,
                 CauseClass::modem},
             Row{"an unlisted vendor code after the PDU is in doubt",
                 {CodeKind::cms, 999},
                 true,
                 CauseClass::ambiguous},
             Row{"ERROR alone after the PDU is in doubt",
                 {CodeKind::plain_error, 0},
                 true,
                 CauseClass::ambiguous},
             Row{"ERROR alone before the PDU may pass",
                 {CodeKind::plain_error, 0},
                 false,
                 CauseClass::transient},
             Row{"no cause has no class", {}, true, CauseClass::none},
             Row{"SIM missing (CME) is the modem's", {CodeKind::cme, 10}, false, CauseClass::modem},
         }) {
        CAPTURE(row.so);
        CHECK(cause_info(row.cause, row.pdu_sent).cause_class == row.expected);
        CHECK(!cause_info(row.cause, row.pdu_sent).meaning.empty());
    }
}

TEST_CASE("tp_status_event: every octet ends its segment, or leaves it to a later report") {
    for (int status = 0; status <= 0xFF; ++status) {
        CAPTURE(status);
        const auto event = tp_status_event(static_cast<std::uint8_t>(status));
        if (status == 0x01 || (status >= 0x20 && status < 0x40)) {
            CHECK_FALSE(event);
        } else if (status < 0x20) {
            CHECK(event == MessageEvent::delivery);
        } else if (status == 0x46) {
            CHECK(event == MessageEvent::too_late);
        } else {
            CHECK(event == MessageEvent::refusal);
        }
        CHECK(!cause_info({CodeKind::tp_status, status}, true).meaning.empty());
    }
}
