#include "tests/tools/modem_sim/rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using modem_sim::FaultKind;
using test::Rig;

TEST_CASE("sim_swapped: another SIM with another number, store and service centre's queue") {
    Rig rig{{.boot = 100ms}};
    (void)rig.at("AT+WIND=32767");
    rig.receive("for the first");
    (void)rig.model.take_output();
    rig.inject({.kind = FaultKind::sim_swapped, .code = 7});
    CHECK(rig.pass(1s).starts_with("\r\n+WIND: 0\r\n\r\n+WIND: 1\r\n"));
    CHECK(rig.at("AT+CCID").find(modem_sim::make_identity(7).iccid) != std::string::npos);
    CHECK(rig.at("AT+CIMI").find(modem_sim::make_identity(7).imsi) != std::string::npos);
    CHECK(rig.at("AT+CGSN").find(modem_sim::make_identity(0).imei) != std::string::npos);
    CHECK(rig.at("AT+CPMS?").find("\"SM\",0,50") != std::string::npos);

    rig.inject({.kind = FaultKind::sim_swapped, .code = 0});
    (void)rig.pass(1s);
    CHECK(rig.at("AT+CCID").find(modem_sim::make_identity(0).iccid) != std::string::npos);
    CHECK(rig.at("AT+CPMS?").find("\"SM\",1,50") != std::string::npos);  // it kept its message
}

TEST_CASE(
    "sim_swapped: what was given and not acknowledged comes again to the SIM that it was for") {
    Rig rig{{.boot = 100ms}};
    (void)rig.pass(1s);
    (void)rig.at("AT+CSMS=1");
    (void)rig.at("AT+CNMI=0,2,0,0,0");
    rig.receive("for the first");
    CHECK(rig.model.take_output().find("+CMT: ") != std::string::npos);
    rig.inject({.kind = FaultKind::sim_swapped, .code = 7});
    CHECK(rig.pass(10min).find("+CMT: ") == std::string::npos);
    CHECK(rig.journal.deliveries.empty());

    rig.inject({.kind = FaultKind::sim_swapped, .code = 0});
    CHECK(rig.pass(1s).find("+CMT: ") != std::string::npos);
    CHECK(rig.at("AT+CNMA") == "\r\nOK\r\n");
    REQUIRE(rig.journal.deliveries.size() == 1);
    CHECK(rig.journal.deliveries.front().iccid == modem_sim::make_identity(0).iccid);
}

TEST_CASE("sim_swapped: what was in flight goes out by neither SIM") {
    for (const bool at_prompt : {false, true}) {
        CAPTURE(at_prompt);
        Rig rig{{.boot = 100ms, .service = {.mean = 2s}}};
        (void)rig.pass(1s);
        const std::string_view pdu = Rig::sample_pdu;
        (void)rig.at("AT+CMGS=" + std::to_string(pdu.size() / 2 - 1));
        if (at_prompt) {
            rig.inject({.kind = FaultKind::sim_swapped, .code = 7});
            (void)rig.pass(1s);
        }
        std::string said = rig.say(std::string(pdu) + "\x1A");
        if (!at_prompt) {
            rig.inject({.kind = FaultKind::sim_swapped, .code = 7});
        }
        said += rig.pass(3s);
        CHECK(said.find("+CMS ERROR: 310") != std::string::npos);
        CHECK(rig.journal.submits.empty());
    }
}

TEST_CASE("sim_busy: n commands that need the SIM are refused, others not") {
    Rig rig;
    rig.inject({.kind = FaultKind::sim_busy, .count = 2});
    CHECK(rig.at("AT+CSQ").find("OK") != std::string::npos);
    CHECK(rig.at("AT+CPIN?") == "\r\n+CME ERROR: 14\r\n");
    CHECK(rig.at("AT+CPMS?") == "\r\n+CMS ERROR: 314\r\n");
    CHECK(rig.at("AT+CPIN?") == "\r\n+CPIN: READY\r\n");
}

TEST_CASE("pin_wanted: after a restart the SIM asks, with n attempts left") {
    Rig rig{{.boot = 100ms}};
    rig.inject({.kind = FaultKind::pin_wanted, .count = 2, .text = "4711"});
    (void)rig.pass(1s);
    (void)rig.at("ATE0");
    (void)rig.at("AT+CMEE=1");
    CHECK(rig.at("AT+CPIN?") == "\r\n+CPIN: SIM PIN\r\n");
    CHECK(rig.at("AT+CPINC").find("+CPINC: 2,3,10,10") != std::string::npos);
    CHECK(rig.at("AT+CPIN=\"0000\"") == "\r\n+CME ERROR: 16\r\n");
    CHECK(rig.at("AT+CPIN=\"4711\"") == "\r\nOK\r\n");
    (void)rig.pass(1s);
    CHECK(rig.at("AT+CREG?").find("+CREG: 0,1") != std::string::npos);
}

TEST_CASE("puk_wanted: no PIN helps, the PUK and a new PIN do") {
    Rig rig{{.boot = 100ms}};
    rig.inject({.kind = FaultKind::puk_wanted, .text = "4711"});
    (void)rig.pass(1s);
    (void)rig.at("ATE0");
    (void)rig.at("AT+CMEE=1");
    CHECK(rig.at("AT+CPIN?") == "\r\n+CPIN: SIM PUK\r\n");
    CHECK(rig.at("AT+CPIN=\"4711\"") == "\r\n+CME ERROR: 12\r\n");
    CHECK(rig.at("AT+CPIN=\"00000000\",\"0815\"") == "\r\n+CME ERROR: 16\r\n");
    CHECK(rig.at("AT+CPIN=\"12345678\",\"0815\"") == "\r\nOK\r\n");
    (void)rig.pass(1s);
    CHECK(rig.at("AT+CPIN?") == "\r\n+CPIN: READY\r\n");
}

TEST_CASE("centre_lost: a PDU without a service centre of its own is refused after it came") {
    Rig rig;
    rig.inject({.kind = FaultKind::centre_lost});
    CHECK(rig.at("AT+CSCA?").find("+CSCA: \"\",129") != std::string::npos);
    CHECK(rig.send() == "\r\n+CMS ERROR: 330\r\n");
    CHECK(rig.at("AT+CSCA=\"+33609001390\",145") == "\r\nOK\r\n");
    CHECK(rig.send().starts_with("\r\n+CMGS: "));
}
