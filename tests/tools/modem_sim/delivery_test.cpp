#include "tests/tools/modem_sim/rig.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using test::Rig;

namespace {

constexpr const char* hello_pdu =
    "07913306091093F0040B913316213243F400006211120000000005E8329BFD06";

}  // namespace

TEST_CASE("an inbound message goes to the SIM and is announced with +CMTI; read and delete it") {
    Rig rig;
    rig.receive("hello");
    CHECK(rig.model.take_output() == "\r\n+CMTI: \"SM\",1\r\n");
    CHECK(rig.at("AT+CPMS?") == "\r\n+CPMS: \"SM\",1,50,\"SM\",1,50\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CMGR=1") == fmt::format("\r\n+CMGR: 0,,24\r\n{}\r\n\r\nOK\r\n", hello_pdu));
    CHECK(rig.at("AT+CMGR=1").starts_with("\r\n+CMGR: 1,,24\r\n"));
    CHECK(rig.at("AT+CMGD=1") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CMGR=1") == "\r\n+CMS ERROR: 321\r\n");
    REQUIRE(rig.journal.deliveries.size() == 1);
    CHECK(rig.journal.deliveries[0].how == "stored");
    CHECK(rig.journal.deliveries[0].text == "hello");
}

TEST_CASE("CMGL lists by status, CMGD with a flag deletes by status") {
    Rig rig;
    for (int i = 0; i < 3; ++i) {
        rig.receive("hello");
    }
    (void)rig.at("AT+CMGR=2");
    const std::string unread = rig.at("AT+CMGL=0");
    CHECK(unread ==
          fmt::format("\r\n+CMGL: 1,0,,24\r\n{}\r\n\r\n+CMGL: 3,0,,24\r\n{}\r\n\r\nOK\r\n",
                      hello_pdu, hello_pdu));
    CHECK(rig.at("AT+CMGL=0") == "\r\nOK\r\n");  // listing is reading
    rig.receive("hello");
    CHECK(rig.at("AT+CMGD=1,1").ends_with("\r\nOK\r\n"));
    CHECK(rig.at("AT+CPMS?").starts_with("\r\n+CPMS: \"SM\",1,50"));
    CHECK(rig.at("AT+CMGD=1,4") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CPMS?").starts_with("\r\n+CPMS: \"SM\",0,50"));
    CHECK(rig.model.stats().deleted == 4);
}

TEST_CASE("a full SIM: the network keeps the rest, and brings it when there is room") {
    Rig rig{{.sm_places = 2}};
    for (std::uint64_t id = 1; id <= 4; ++id) {
        rig.receive(fmt::format("message {}", id), id);
    }
    CHECK(rig.model.take_output() == "\r\n+CMTI: \"SM\",1\r\n\r\n+CMTI: \"SM\",2\r\n");
    CHECK(rig.pass(1h) == "");
    CHECK(rig.at("AT+CMGW=22") == "\r\n> ");
    CHECK(rig.say(std::string(Rig::sample_pdu) + "\x1A") == "\r\n+CMS ERROR: 322\r\n");
    CHECK(rig.at("AT+CMGD=2") == "\r\nOK\r\n\r\n+CMTI: \"SM\",2\r\n");
    CHECK(rig.at("AT+CMGD=1") == "\r\nOK\r\n\r\n+CMTI: \"SM\",1\r\n");
    REQUIRE(rig.journal.deliveries.size() == 4);
    CHECK(rig.journal.deliveries[3].id == 4);
}

TEST_CASE("<mt> 0 tells nothing, <mt> 2 gives the message to the host at once") {
    Rig rig;
    (void)rig.at("AT+CNMI=2,0,0,0,0");
    rig.receive("hello");
    CHECK(rig.model.take_output() == "");
    CHECK(rig.at("AT+CMGR=1").starts_with("\r\n+CMGR: 0,"));
    (void)rig.at("AT+CNMI=2,2,0,0,0");
    rig.receive("hello");
    CHECK(rig.model.take_output() == fmt::format("\r\n+CMT: ,24\r\n{}\r\n", hello_pdu));
    CHECK(rig.journal.deliveries.back().how == "direct");  // acknowledged by the modem itself
    CHECK(rig.at("AT+CNMA") == "\r\n+CMS ERROR: 303\r\n");
}

TEST_CASE("CSMS=1: the next comes only after +CNMA") {
    Rig rig;
    (void)rig.at("AT+CSMS=1;+CNMI=2,2,0,1,0");
    rig.receive("hello", 1);
    rig.receive("hello", 2);
    CHECK(rig.model.take_output() == fmt::format("\r\n+CMT: ,24\r\n{}\r\n", hello_pdu));
    CHECK(rig.journal.deliveries.empty());
    CHECK(rig.at("AT+CNMA=0") == fmt::format("\r\nOK\r\n\r\n+CMT: ,24\r\n{}\r\n", hello_pdu));
    REQUIRE(rig.journal.deliveries.size() == 1);
    CHECK(rig.journal.deliveries[0].how == "acknowledged");
    CHECK(rig.at("AT+CNMA") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CNMA") == "\r\n+CMS ERROR: 340\r\n");
    CHECK(rig.journal.deliveries.size() == 2);
}

TEST_CASE("CSMS=1 without +CNMA in time: direct delivery ends, the network comes again") {
    Rig rig{{.acknowledge_within = 15s, .network_retry = 30s}};
    (void)rig.at("AT+CSMS=1;+CNMI=2,2,0,1,0");
    rig.receive("hello");
    (void)rig.model.take_output();
    CHECK(rig.pass(15s - 1us) == "");
    CHECK(rig.at("AT+CNMI?") == "\r\n+CNMI: 2,2,0,1,0\r\n\r\nOK\r\n");
    CHECK(rig.pass(1us) == "");
    CHECK(rig.at("AT+CNMI?") == "\r\n+CNMI: 2,0,0,0,0\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CNMA") == "\r\n+CMS ERROR: 340\r\n");
    CHECK(rig.journal.faults.back() == "not_acknowledged");

    SUBCASE("set again, it comes again") {
        (void)rig.at("AT+CNMI=2,2,0,1,0");
        CHECK(rig.pass(29s) == "");
        CHECK(rig.pass(1s) == fmt::format("\r\n+CMT: ,24\r\n{}\r\n", hello_pdu));
    }
    SUBCASE("not set again, it goes to the SIM in silence") {
        CHECK(rig.pass(30s) == "");
        CHECK(rig.at("AT+CMGR=1").starts_with("\r\n+CMGR: 0,,24"));
    }
}

TEST_CASE("CNMA=2 gives the message back to the network") {
    Rig rig{{.network_retry = 30s}};
    (void)rig.at("AT+CSMS=1;+CNMI=2,2,0,1,0");
    rig.receive("hello");
    (void)rig.model.take_output();
    CHECK(rig.at("AT+CNMA=2") == "\r\nOK\r\n");
    CHECK(rig.pass(30s) == fmt::format("\r\n+CMT: ,24\r\n{}\r\n", hello_pdu));
    CHECK(rig.at("AT+CNMI?") == "\r\n+CNMI: 2,2,0,1,0\r\n\r\nOK\r\n");
}

TEST_CASE("a status report comes after its delay, where AT+CNMI=,,,<ds> says") {
    Rig rig{{.report_delay = 500ms}};
    SUBCASE("<ds> 0: nowhere") {
        (void)rig.send();
        CHECK(rig.pass(1h) == "");
        CHECK(rig.journal.deliveries.at(0).how == "dropped");
    }
    SUBCASE("<ds> 1: to the host") {
        (void)rig.at("AT+CNMI=2,1,0,1,0");
        (void)rig.send();
        const int mr = rig.journal.submits.at(0).mr;
        CHECK(rig.pass(500ms - 1us) == "");
        CHECK(rig.pass(1us) ==
              fmt::format("\r\n+CDS: 25\r\n07913306091093F006{:02X}0B913316325476F8"
                          "6211120000000062111200000000"
                          "00\r\n",
                          mr));
        CHECK(rig.journal.deliveries.at(0).mr == mr);
    }
    SUBCASE("<ds> 2: into SR, with +CDSI") {
        (void)rig.at("AT+CNMI=2,1,0,2,0");
        (void)rig.send();
        CHECK(rig.pass(500ms) == "\r\n+CDSI: \"SR\",1\r\n");
        CHECK(rig.at("AT+CMGR=1") == "\r\n+CMS ERROR: 321\r\n");  // that is SM
        (void)rig.at("AT+CPMS=\"SR\"");
        CHECK(rig.at("AT+CMGR=1").starts_with("\r\n+CMGR: 0,,25\r\n07913306091093F006"));
        CHECK(rig.at("AT+CMGD=1") == "\r\nOK\r\n");
    }
}

TEST_CASE("no report without TP-SRR, and none where the network makes none") {
    Rig rig{{.report_delay = 500ms}};
    (void)rig.at("AT+CNMI=2,1,0,1,0");
    (void)rig.send("0001" + std::string(Rig::sample_pdu.substr(4)));
    CHECK(rig.pass(1h) == "");
    Rig without{{.report_delay = std::nullopt}};
    (void)without.at("AT+CNMI=2,1,0,1,0");
    (void)without.send();
    CHECK(without.pass(1h) == "");
}

TEST_CASE("with probability P a report tells of a failure") {
    Rig rig{{.report_delay = 0ms, .report_fail = 0.25}};
    (void)rig.at("AT+CNMI=2,1,0,1,0");
    int failed = 0;
    for (int i = 0; i < 2000; ++i) {
        (void)rig.send();
        failed += rig.journal.deliveries.back().status == 0x46 ? 1 : 0;
    }
    CHECK(failed > 430);  // 500, give or take 3.6 standard deviations of 19
    CHECK(failed < 570);
}

TEST_CASE("SR has few places: further reports wait at the network") {
    Rig rig{{.report_delay = 0ms, .sr_places = 2}};
    (void)rig.at("AT+CNMI=2,1,0,2,0");
    for (int i = 0; i < 5; ++i) {
        (void)rig.send();
    }
    CHECK(rig.model.core().smsc.waiting(true) == 3);
    (void)rig.at("AT+CPMS=\"SR\"");
    CHECK(rig.at("AT+CMGD=1") == "\r\nOK\r\n\r\n+CDSI: \"SR\",1\r\n");
}

TEST_CASE("a restart forgets what waited for +CNMA, the network does not") {
    Rig rig{{.boot = 10ms, .acknowledge_within = 15s, .network_retry = 30s}};
    (void)rig.at("AT+CSMS=1;+CNMI=2,2,0,1,0");
    rig.receive("hello");
    rig.inject({.kind = modem_sim::FaultKind::reboot});
    (void)rig.pass(1min);
    (void)rig.at("ATE0");
    CHECK(rig.at("AT+CMGR=1").starts_with("\r\n+CMGR: 0,,24"));
}
