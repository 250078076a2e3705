#include "tests/tools/modem_sim/rig.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using modem_sim::FaultKind;
using test::Rig;

TEST_CASE("every fault has a name, and the name gives it back") {
    for (const modem_sim::FaultRow& row : modem_sim::faults()) {
        REQUIRE(modem_sim::find_fault(row.name) != nullptr);
        CHECK(modem_sim::find_fault(row.name)->kind == row.kind);
    }
    CHECK(modem_sim::find_fault("explode") == nullptr);
}

TEST_CASE("hang: takes nothing, says nothing; a submit in flight is accepted unheard") {
    Rig rig{{.service = {.mean = 100ms}}};
    (void)rig.send();
    rig.inject({.kind = FaultKind::hang});
    CHECK(rig.pass(1h) == "");
    CHECK(rig.at("AT") == "");
    CHECK(rig.journal.submits.size() == 1);
    rig.receive("hello");
    rig.inject({.kind = FaultKind::unhang});
    CHECK(rig.model.take_output() == "\r\n+CMTI: \"SM\",1\r\n");  // the network waited
    CHECK(rig.at("AT") == "\r\nOK\r\n");
}

TEST_CASE("reboot: a submit in flight was never accepted") {
    Rig rig{{.boot = 1000ms, .service = {.mean = 100ms}}};
    (void)rig.at("AT+WIND=32767");
    (void)rig.send();
    rig.inject({.kind = FaultKind::reboot});
    CHECK(rig.pass(1s).starts_with("\r\n+WIND: 1\r\n\r\n+WIND: 3\r\n"));
    CHECK(rig.journal.submits.empty());
    CHECK(rig.at("AT+CNMI?").find("+CNMI: 0,1,0,0,0") != std::string::npos);
}

TEST_CASE("lose_answer: accepted, never answered, and then as if nothing had been") {
    Rig rig{{.service = {.mean = 100ms}}};
    rig.inject({.kind = FaultKind::lose_answer});
    (void)rig.send();
    CHECK(rig.pass(1h) == "");
    CHECK(rig.journal.submits.size() == 1);
    CHECK(rig.at("AT") == "\r\nOK\r\n");
    (void)rig.send();
    CHECK(rig.pass(100ms).starts_with("\r\n+CMGS: "));
}

TEST_CASE("late_answer: accepted in time, answered late") {
    Rig rig{{.service = {.mean = 100ms}}};
    rig.inject({.kind = FaultKind::late_answer, .delay = 5s});
    (void)rig.send();
    CHECK(rig.pass(100ms) == "");
    CHECK(rig.journal.submits.size() == 1);
    CHECK(rig.pass(5s - 1us) == "");
    CHECK(rig.pass(1us).starts_with("\r\n+CMGS: "));
}

TEST_CASE("lose_report: the next report never comes, the one after does") {
    Rig rig{{.report_delay = 100ms}};
    (void)rig.at("AT+CNMI=2,1,0,1,0");
    rig.inject({.kind = FaultKind::lose_report});
    (void)rig.send();
    CHECK(rig.pass(1h) == "");
    (void)rig.send();
    CHECK(rig.pass(1s).starts_with("\r\n+CDS: 25\r\n"));
}

TEST_CASE("cms_error: in place of the prompt, or after the PDU; n times") {
    Rig rig;
    SUBCASE("at the command") {
        rig.inject({.kind = FaultKind::cms_error, .count = 2, .code = 515, .at_command = true});
        CHECK(rig.at("AT+CMGS=22") == "\r\n+CMS ERROR: 515\r\n");
        CHECK(rig.at("AT+CMGS=22") == "\r\n+CMS ERROR: 515\r\n");
    }
    SUBCASE("after the PDU") {
        rig.inject({.kind = FaultKind::cms_error, .count = 2, .code = 38});
        CHECK(rig.send() == "\r\n+CMS ERROR: 38\r\n");
        CHECK(rig.send() == "\r\n+CMS ERROR: 38\r\n");
        CHECK(rig.journal.refusals == std::vector<int>{38, 38});
    }
    CHECK(rig.journal.submits.empty());
    CHECK(rig.send().starts_with("\r\n+CMGS: "));
}

TEST_CASE("network_lost while the network has the message: a timeout, not accepted") {
    Rig rig{{.service = {.mean = 100ms}}};
    (void)rig.send();
    rig.inject({.kind = FaultKind::network_lost});
    CHECK(rig.pass(100ms) == "\r\n+CMS ERROR: 332\r\n");
    CHECK(rig.journal.submits.empty());
}

TEST_CASE("storage_full: nothing goes in until storage_free") {
    Rig rig;
    rig.inject({.kind = FaultKind::storage_full});
    rig.receive("hello");
    CHECK(rig.at("AT+CPMS?").starts_with("\r\n+CPMS: \"SM\",50,50"));
    CHECK(rig.pass(1h) == "");
    rig.inject({.kind = FaultKind::storage_free});
    CHECK(rig.model.take_output() == "\r\n+CMTI: \"SM\",1\r\n");
}

TEST_CASE("garbage: n octets, the same from the same seed") {
    Rig one;
    Rig two;
    one.inject({.kind = FaultKind::garbage, .count = 50});
    two.inject({.kind = FaultKind::garbage, .count = 50});
    const std::string octets = one.model.take_output();
    CHECK(octets.size() == 50);
    CHECK(octets == two.model.take_output());
}

TEST_CASE("interleave: a URC between the command and its response") {
    Rig rig{{.service = {.mean = 100ms}}};
    rig.inject({.kind = FaultKind::interleave, .count = 3});
    CHECK(rig.at("AT+CREG?") == "\r\n+CREG: 1\r\n\r\n+CREG: 0,1\r\n\r\nOK\r\n");
    CHECK(rig.send() == "\r\n+CREG: 1\r\n\r\n> ");
    CHECK(rig.say(std::string(Rig::sample_pdu) + "\x1A") == "");
    CHECK(rig.pass(100ms).starts_with("\r\n+CREG: 1\r\n\r\n+CMGS: "));
    CHECK(rig.at("AT") == "\r\nOK\r\n");
}

TEST_CASE("drop_prompt: it waits for the PDU without saying so") {
    Rig rig;
    rig.inject({.kind = FaultKind::drop_prompt});
    CHECK(rig.at("AT+CMGS=22") == "");
    CHECK(rig.at("AT") == "");
    CHECK(rig.say("\x1B") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CMGS=22") == "\r\n> ");
}

TEST_CASE("stall: silent but for AT+CFUN=1, which restarts it") {
    Rig rig{{.boot = 1000ms, .service = {.mean = 100ms}}};
    (void)rig.at("AT+WIND=32767");
    (void)rig.send();
    rig.inject({.kind = FaultKind::stall});
    CHECK(rig.pass(1min) == "");
    CHECK(rig.at("AT") == "");
    CHECK(rig.at("AT+CFUN=1") == "");
    CHECK(rig.pass(1s).find("+WIND: 16") != std::string::npos);
    CHECK(rig.journal.submits.size() == 1);
}

TEST_CASE("reboot_loop: +WIND: 3 again and again, and then it stays") {
    Rig rig{{.boot = 1000ms}};
    (void)rig.at("AT+WIND=32767");
    rig.inject({.kind = FaultKind::reboot_loop, .count = 3});
    const std::string said = rig.pass(10s);
    std::size_t beats = 0;
    for (auto at = said.find("+WIND: 3"); at != std::string::npos;
         at = said.find("+WIND: 3", at + 1)) {
        ++beats;
    }
    CHECK(beats == 3);
    CHECK(said.ends_with("+WIND: 16\r\n"));
}

TEST_CASE("denied and roaming are reported by +CREG, and only roaming sends") {
    Rig rig;
    rig.inject({.kind = FaultKind::denied});
    CHECK(rig.at("AT+CREG?").find("+CREG: 0,3") != std::string::npos);
    CHECK(rig.send() == "\r\n+CMS ERROR: 331\r\n");
    rig.inject({.kind = FaultKind::roaming});
    CHECK(rig.at("AT+CREG?").find("+CREG: 0,5") != std::string::npos);
    CHECK(rig.send().starts_with("\r\n+CMGS: "));
    rig.inject({.kind = FaultKind::network_back});
    CHECK(rig.at("AT+CREG?").find("+CREG: 0,1") != std::string::npos);
}

TEST_CASE("ring: every 3 s until the host hangs up or the caller gives up") {
    Rig rig;
    (void)rig.at("AT+CLIP=1");
    rig.inject({.kind = FaultKind::ring, .count = 3, .text = "+33612000000"});
    const std::string ring = "\r\nRING\r\n\r\n+CLIP: \"+33612000000\",145,\"\",,\"\",0\r\n";
    CHECK(rig.model.take_output() == ring);
    CHECK(rig.pass(3s) == ring);
    SUBCASE("the host hangs up") {
        CHECK(rig.at("ATH") == "\r\nOK\r\n");
        CHECK(rig.pass(1min) == "");
        CHECK(rig.model.stats().calls_hung_up == 1);
    }
    SUBCASE("the caller gives up") {
        CHECK(rig.pass(1min) == ring + "\r\nNO CARRIER\r\n");
        (void)rig.at("ATH");
        CHECK(rig.model.stats().calls_hung_up == 0);
    }
}

TEST_CASE("lose_urc: the message is in the SIM, without a notice") {
    Rig rig;
    rig.inject({.kind = FaultKind::lose_urc});
    rig.receive("hello");
    CHECK(rig.model.take_output() == "");
    CHECK(rig.at("AT+CPMS?").find("\"SM\",1,50") != std::string::npos);
    rig.receive("again", 2);
    CHECK(rig.model.take_output() == "\r\n+CMTI: \"SM\",2\r\n");
}

TEST_CASE("duplicate_inbound: the same PDU comes twice") {
    Rig rig;
    rig.inject({.kind = FaultKind::duplicate_inbound, .delay = 1s});
    rig.receive("hello");
    CHECK(rig.pass(1s) == "\r\n+CMTI: \"SM\",1\r\n\r\n+CMTI: \"SM\",2\r\n");
    const std::string first = rig.at("AT+CMGR=1");
    CHECK(rig.at("AT+CMGR=2") == first);
}

TEST_CASE("duplicate_inbound: unless said the network repeats after TR1N") {
    Rig rig;
    rig.inject(modem_sim::make_fault(FaultKind::duplicate_inbound));
    rig.receive("hello");
    CHECK(rig.pass(35s) == "\r\n+CMTI: \"SM\",1\r\n");
    CHECK(rig.pass(10s) == "\r\n+CMTI: \"SM\",2\r\n");
}

TEST_CASE("dead_clock: a useless time, of the kind that is said, and then the right one again") {
    struct Case {
        int kind;
        const char* stamp;
    };
    for (const Case& c :
         {Case{0, "00000000000000"}, Case{1, "FFFFFFFFFFFFFF"}, Case{2, "00101000000000"}}) {
        CAPTURE(c.kind);
        Rig rig;
        rig.inject({.kind = FaultKind::dead_clock, .code = c.kind});
        rig.receive(std::string(200, 'a'));  // both parts have it
        rig.receive("hello", 2);
        const auto has = [&](const char* command, const char* stamp) {
            return rig.at(command).find(std::string("0000") + stamp) != std::string::npos;
        };
        CHECK(has("AT+CMGR=1", c.stamp));
        CHECK(has("AT+CMGR=2", c.stamp));
        CHECK_FALSE(has("AT+CMGR=3", c.stamp));
        CHECK(has("AT+CMGR=3", "62111200"));
    }
}

TEST_CASE("same_reference: the next long messages have one reference, and not the next number") {
    Rig rig;
    rig.inject({.kind = FaultKind::same_reference, .count = 2});
    const std::string text(200, 'a');
    rig.receive("hello");  // has none
    for (std::uint64_t id = 1; id <= 4; ++id) {
        rig.receive(text, id);
    }
    const auto has = [&](int place, const char* header) {
        return rig.at("AT+CMGR=" + std::to_string(place)).find(header) != std::string::npos;
    };
    CHECK(has(2, "050003010201"));
    CHECK(has(3, "050003010202"));
    CHECK(has(4, "050003010201"));
    CHECK(has(6, "050003000201"));
    CHECK(has(8, "050003010201"));
}

TEST_CASE("an inbound message may be given its time and its reference: equal ones of a second") {
    Rig rig;
    for (const std::uint64_t id : {1, 2}) {
        REQUIRE(rig.model.offer(rig.now, {.id = id,
                                          .from = "+33611223344",
                                          .text = std::string(200, 'a'),
                                          .time_stamp = std::string(7, '\x11'),
                                          .reference = 0x7F}));
    }
    (void)rig.model.step(rig.now);
    (void)rig.model.take_output();
    const std::string first = rig.at("AT+CMGR=1");
    CHECK(first.find("11111111111111") != std::string::npos);
    CHECK(first == rig.at("AT+CMGR=3"));
    CHECK(rig.at("AT+CMGR=2").find("0500037F0202") != std::string::npos);
    REQUIRE(rig.journal.deliveries.size() == 4);
    CHECK(rig.journal.deliveries[0].id == 1);
    CHECK(rig.journal.deliveries[2].id == 2);
}

TEST_CASE("undecodable: a PDU whose originator is longer than itself") {
    Rig rig;
    rig.inject({.kind = FaultKind::undecodable, .count = 2});
    CHECK(rig.at("AT+CMGR=1").find("\r\n0004FF91") != std::string::npos);
    CHECK(rig.at("AT+CMGR=2").find("\r\n0004FF91") != std::string::npos);
}

TEST_CASE("an inbound PDU of the test's own goes as it is") {
    Rig rig;
    const std::string pdu("\x00\x04\x02\x91\x21", 5);
    REQUIRE(rig.model.offer(rig.now, {.id = 1, .pdu = pdu}));
    (void)rig.model.step(rig.now);
    CHECK(rig.at("AT+CMGR=1").find("+CMGR: 0,,4\r\n0004029121") != std::string::npos);
    CHECK_FALSE(rig.model.offer(rig.now, {.id = 2, .pdu = std::string("\x07\x91", 2)}));
}
