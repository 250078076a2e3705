#include "tests/tools/modem_sim/rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using modem_sim::FaultKind;
using test::Rig;

namespace {

/// A rig that gets reports at once, 1 s after the submit, which takes 100 ms.
struct ReportRig : Rig {
    ReportRig() : Rig({.service = {.mean = 100ms}, .report_delay = 1s}) {
        (void)at("AT+CNMI=2,1,0,1,0");
    }
};

}  // namespace

TEST_CASE("early_report: the report comes before the answer to its submit") {
    ReportRig rig;
    rig.inject({.kind = FaultKind::early_report, .delay = 500ms});
    (void)rig.send();
    CHECK(rig.pass(100ms).starts_with("\r\n+CDS: "));
    CHECK(rig.pass(500ms).starts_with("\r\n+CMGS: "));
    CHECK(rig.pass(1min) == "");
}

TEST_CASE("late_report: so much later than the others") {
    ReportRig rig;
    rig.inject({.kind = FaultKind::late_report, .delay = 1h});
    (void)rig.send();
    CHECK(rig.pass(1h).find("+CDS") == std::string::npos);
    CHECK(rig.pass(2s).starts_with("\r\n+CDS: "));
}

TEST_CASE("temporary_report: one that says that the centre still tries, then the final one") {
    ReportRig rig;
    rig.inject({.kind = FaultKind::temporary_report, .code = 0x21, .delay = 5s});
    (void)rig.send();
    (void)rig.pass(1h);
    REQUIRE(rig.journal.deliveries.size() == 2);
    CHECK(rig.journal.deliveries[0].status == 0x21);
    CHECK(rig.journal.deliveries[1].status == 0);
    CHECK(rig.journal.deliveries[1].mr == rig.journal.deliveries[0].mr);
    CHECK(rig.journal.deliveries[1].at - rig.journal.deliveries[0].at == 5s);
}

TEST_CASE("report_status: what the next report says") {
    ReportRig rig;
    rig.inject({.kind = FaultKind::report_status, .code = 0x49});
    for (int i = 0; i < 2; ++i) {
        (void)rig.send();
        (void)rig.pass(10s);
    }
    REQUIRE(rig.journal.deliveries.size() == 2);
    CHECK(rig.journal.deliveries[0].status == 0x49);
    CHECK(rig.journal.deliveries[1].status == 0);
}

TEST_CASE("report_zone: a service centre whose clock is hours ahead") {
    ReportRig rig;
    rig.inject({.kind = FaultKind::report_zone, .code = 8});
    (void)rig.send();
    // 2026-11-21 00:00 as 02:00, in swapped digits; TP-SCTS, then TP-DT one second later.
    CHECK(rig.pass(10s).find("62111220000000"
                             "62111220001000") != std::string::npos);
}
