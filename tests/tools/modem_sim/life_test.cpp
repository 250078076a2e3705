#include "tests/tools/modem_sim/rig.hpp"
#include "tools/modem_model/states.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using test::Rig;

TEST_CASE("AT+CFUN=1 restarts: the +WIND sequence, deaf until 3, no SMS until all is there") {
    Rig rig{{.boot = 1000ms}};
    CHECK(rig.at("AT+WIND=32767") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CREG=1;&W") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CSMS=1").ends_with("\r\nOK\r\n"));
    CHECK(rig.at("AT+CFUN=1") == "\r\nOK\r\n");
    CHECK(rig.at("AT") == "");
    CHECK(rig.pass(199ms) == "");
    CHECK(rig.pass(1ms) == "\r\n+WIND: 1\r\n\r\n+WIND: 3\r\n");
    CHECK(rig.at("AT+CSMS?") == "\r\n+CSMS: 0,1,1,1\r\n\r\nOK\r\n");  // it forgot
    CHECK(rig.at("AT+CREG?") == "\r\n+CREG: 1,0\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CPMS?") == "\r\n+CMS ERROR: 515\r\n");
    CHECK(rig.pass(400ms) == "\r\n+WIND: 4\r\n");
    CHECK(rig.at("AT+CREG?") == "\r\n+CREG: 1,2\r\n\r\nOK\r\n");
    CHECK(rig.send() == "\r\n+CMS ERROR: 331\r\n");
    CHECK(rig.pass(400ms) == "\r\n+CREG: 1\r\n\r\n+WIND: 10\r\n\r\n+WIND: 16\r\n");
    CHECK(rig.send().starts_with("\r\n+CMGS: "));
}

TEST_CASE("the settings for message reports last over a restart where AT&W or AT+CSAS saved it") {
    struct Case {
        const char* save;
        const char* cnmi;
        const char* csms;
    };
    for (const Case& c : {Case{"AT", "+CNMI: 0,1,0,0,0", "+CSMS: 0,"},
                          Case{"AT&W", "+CNMI: 2,1,0,2,0", "+CSMS: 1,"},
                          Case{"AT+CSAS", "+CNMI: 2,1,0,2,0", "+CSMS: 1,"}}) {
        CAPTURE(c.save);
        Rig rig{{.boot = 1000ms}};
        (void)rig.at("AT+CSMS=1;+CNMI=2,1,0,2,0");
        CHECK(rig.at(c.save) == "\r\nOK\r\n");
        (void)rig.at("AT+CNMI=2,2,0,0,0");  // set, and not saved
        rig.inject({.kind = modem_sim::FaultKind::reboot});
        (void)rig.pass(1s);
        CHECK(rig.at("AT+CNMI?").find(c.cnmi) != std::string::npos);
        CHECK(rig.at("AT+CSMS?").find(c.csms) != std::string::npos);
    }
}

TEST_CASE("an older firmware has no +WIND: 16") {
    Rig rig{{.wind16 = false, .boot = 100ms}};
    CHECK(rig.at("AT+WIND=32767") == "\r\n+CME ERROR: 3\r\n");
    CHECK(rig.at("AT+WIND=4095") == "\r\nOK\r\n");
    (void)rig.at("AT+CFUN=1");
    CHECK(rig.pass(1s) == "\r\n+WIND: 1\r\n\r\n+WIND: 3\r\n\r\n+WIND: 4\r\n\r\n+WIND: 10\r\n");
}

TEST_CASE("--cfun1-keeps: AT+CFUN=1 only brings the radio back") {
    Rig rig{{.cfun1_keeps = true}};
    CHECK(rig.at("AT+CREG=1") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CFUN=0") == "\r\n+CREG: 0\r\n\r\nOK\r\n");
    CHECK(rig.send() == "\r\n+CMS ERROR: 331\r\n");
    CHECK(rig.at("AT+CFUN=1") == "\r\n+CREG: 1\r\n\r\nOK\r\n");
    CHECK(rig.send().starts_with("\r\n+CMGS: "));
}

TEST_CASE("AT+CFUN=0 signs off: no signal and no URC, and what comes waits at the centre") {
    Rig rig;
    CHECK(rig.at("AT+CNMI=2,1,0,1,0") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CFUN=0") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CSQ") == "\r\n+CSQ: 99,99\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CREG?") == "\r\n+CREG: 0,0\r\n\r\nOK\r\n");
    REQUIRE(rig.model.offer(rig.now, {.id = 1, .from = "+33699999999", .text = "answer"}));
    CHECK(rig.pass(60s).empty());
    CHECK(rig.model.core().smsc.waiting(false) == 1);
    (void)rig.at("AT+CFUN=1");
    (void)rig.pass(60s);
    CHECK(rig.model.core().smsc.waiting(false) == 0);
    CHECK(rig.model.core().card.sms.used() == 1);
}

TEST_CASE("a SIM with a PIN waits for it, three wrong ones lock it") {
    Rig rig{{.pin = "1234", .boot = 1000ms}};
    CHECK(rig.at("AT+CPIN?") == "\r\n+CPIN: SIM PIN\r\n");
    CHECK(rig.at("AT+CIMI") == "\r\n+CME ERROR: 11\r\n");
    CHECK(rig.at("AT+CMGS=22") == "\r\n+CMS ERROR: 311\r\n");

    SUBCASE("the right one: its start continues") {
        CHECK(rig.at("AT+CPIN=\"0000\"") == "\r\n+CME ERROR: 16\r\n");
        CHECK(rig.at("AT+CPINC") == "\r\n+CPINC: 2,3,10,10\r\n\r\nOK\r\n");
        CHECK(rig.at("AT+CPIN=\"1234\"") == "\r\nOK\r\n");
        CHECK(rig.at("AT+CPIN?") == "\r\n+CPIN: READY\r\n");
        (void)rig.pass(800ms);
        CHECK(rig.at("AT+CREG?") == "\r\n+CREG: 0,1\r\n\r\nOK\r\n");
    }
    SUBCASE("wrong ones") {
        for (int i = 0; i < 3; ++i) {
            CHECK(rig.at("AT+CPIN=9999") == "\r\n+CME ERROR: 16\r\n");
        }
        CHECK(rig.at("AT+CPIN=1234") == "\r\n+CME ERROR: 12\r\n");
        CHECK(rig.at("AT+CPIN?") == "\r\n+CPIN: SIM PUK\r\n");
        CHECK(rig.at("AT+CMGS=22") == "\r\n+CMS ERROR: 316\r\n");
    }
}

TEST_CASE("a SIM that is taken out and put in again") {
    Rig rig{{.boot = 1000ms}};
    (void)rig.at("AT+WIND=32767");
    (void)rig.at("AT+CREG=1");
    rig.inject({.kind = modem_sim::FaultKind::sim_removed});
    CHECK(rig.model.take_output() == "\r\n+WIND: 0\r\n\r\n+CREG: 0\r\n");
    CHECK(rig.at("AT+CPIN?") == "\r\n+CME ERROR: 10\r\n");
    CHECK(rig.at("AT+CCID") == "\r\n+CME ERROR: 10\r\n");
    CHECK(rig.at("AT+CMGR=1") == "\r\n+CMS ERROR: 310\r\n");
    CHECK(rig.pass(1h) == "");
    rig.inject({.kind = modem_sim::FaultKind::sim_inserted});
    CHECK(rig.pass(800ms) ==
          "\r\n+WIND: 1\r\n\r\n+WIND: 4\r\n\r\n+CREG: 1\r\n\r\n+WIND: 10\r\n\r\n+WIND: 16\r\n");
    CHECK(rig.send().starts_with("\r\n+CMGS: "));
}

TEST_CASE("the network goes and comes") {
    Rig rig;
    (void)rig.at("AT+WIND=32767");
    (void)rig.at("AT+CREG=2");
    rig.inject({.kind = modem_sim::FaultKind::network_lost});
    CHECK(rig.model.take_output() == "\r\n+WIND: 8\r\n\r\n+CREG: 2\r\n");
    CHECK(rig.at("AT+CSQ") == "\r\n+CSQ: 99,99\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+COPS?") == "\r\n+COPS: 0\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CMGS=22") == "\r\n+CMS ERROR: 331\r\n");
    rig.inject({.kind = modem_sim::FaultKind::network_back});
    CHECK(rig.model.take_output() == "\r\n+CREG: 1,\"1A2B\",\"C3D4\"\r\n");
}

TEST_CASE("the state tables: every pair is in them once, or is refused") {
    int rows = 0;
    for (int from = 0; from <= static_cast<int>(modem_sim::Life::ready); ++from) {
        for (int on = 0; on <= static_cast<int>(modem_sim::LifeEvent::card_out); ++on) {
            rows += next(modem_sim::life_rules, static_cast<modem_sim::Life>(from),
                         static_cast<modem_sim::LifeEvent>(on))
                        ? 1
                        : 0;
        }
    }
    CHECK(rows == static_cast<int>(modem_sim::life_rules.size()));
    rows = 0;
    for (int from = 0; from <= static_cast<int>(modem_sim::InputMode::busy); ++from) {
        for (int on = 0; on <= static_cast<int>(modem_sim::InputEvent::reset); ++on) {
            rows += next(modem_sim::input_rules, static_cast<modem_sim::InputMode>(from),
                         static_cast<modem_sim::InputEvent>(on))
                        ? 1
                        : 0;
        }
    }
    CHECK(rows == static_cast<int>(modem_sim::input_rules.size()));
    CHECK_FALSE(next(modem_sim::life_rules, modem_sim::Life::off, modem_sim::LifeEvent::restart));
    CHECK_FALSE(
        next(modem_sim::input_rules, modem_sim::InputMode::busy, modem_sim::InputEvent::escape));
}
