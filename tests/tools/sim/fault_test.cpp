#include "tests/tools/sim/rig.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using sim::FaultKind;
using test::Rig;

TEST_CASE("every fault has a name, and the name gives it back") {
    for (int i = 0; i <= static_cast<int>(FaultKind::drop_prompt); ++i) {
        const auto kind = static_cast<FaultKind>(i);
        CHECK(sim::fault_of(sim::fault_name(kind)) == kind);
    }
    CHECK_FALSE(sim::fault_of("explode"));
}

TEST_CASE("hang: takes nothing, says nothing; a submit in hand is accepted unheard") {
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

TEST_CASE("reboot: a submit in hand was never accepted") {
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

TEST_CASE("cms_error: in place of the prompt, or after the PDU; so many times") {
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

TEST_CASE("garbage: so many octets, the same from the same seed") {
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
