#include "tests/tools/modem_sim/rig.hpp"
#include "tools/modem_model/sms/hex.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using test::Rig;

TEST_CASE("CMGS: prompt, PDU, Ctrl-Z, and after the service time the reference") {
    Rig rig{{.service = {.mean = 250ms}}};
    CHECK(rig.at("AT+CMGS=22") == "\r\n> ");
    CHECK(rig.say(Rig::sample_pdu) == "");
    CHECK(rig.pass(1h) == "");  // nothing hurries it
    const SteadyTime given = rig.now;
    CHECK(rig.say("\x1A") == "");
    CHECK(rig.pass(250ms - 1us) == "");
    CHECK(rig.journal.submits.empty());
    const std::string answer = rig.pass(1us);
    REQUIRE(rig.journal.submits.size() == 1);
    const auto& submit = rig.journal.submits[0];
    CHECK(answer == fmt::format("\r\n+CMGS: {}\r\n\r\nOK\r\n", submit.mr));
    CHECK(submit.at == given + 250ms);
    CHECK(submit.service == 250ms);
    CHECK(submit.to == "+33612345678");
    CHECK(modem_sim::to_hex(submit.pdu) == Rig::sample_pdu);
}

TEST_CASE("references go round at 256 and outlive a restart") {
    Rig rig{{.boot = 10ms, .report_delay = std::nullopt}};
    (void)rig.send();
    for (int i = 0; i < 300; ++i) {
        const int before = rig.journal.submits.back().mr;
        if (i == 100) {
            rig.inject({.kind = modem_sim::FaultKind::reboot});
            (void)rig.pass(1s);
            (void)rig.at("ATE0+CMEE=1");
        }
        REQUIRE(rig.send().starts_with("\r\n+CMGS: "));
        CHECK(rig.journal.submits.back().mr == (before + 1) % 256);
    }
}

TEST_CASE("a PDU that is not what was announced is refused with 304") {
    Rig rig;
    struct Case {
        const char* so;
        int length;
        std::string pdu;
    };
    const std::string good(Rig::sample_pdu);
    for (const Case& c : {
             Case{"one octet less announced", 21, good},
             Case{"one octet more announced", 23, good},
             Case{"no hex digit", 22, good.substr(0, 20) + "G" + good.substr(21)},
             Case{"half an octet", 22, good + "0"},
             Case{"nothing", 22, ""},
             Case{"a service centre field longer than all", 22, "FF" + good.substr(2)},
             Case{"a deliver instead of a submit", 22, "0020" + good.substr(4)},
             Case{"user data shorter than its length", 22,
                  good.substr(0, 26) + "0B" + good.substr(28)},
             Case{"user data longer than its length", 22,
                  good.substr(0, 26) + "08" + good.substr(28)},
             Case{"no destination", 22, good.substr(0, 6) + "00" + good.substr(8)},
             Case{"more digits than a destination has", 22,
                  good.substr(0, 6) + "15" + good.substr(8)},
         }) {
        CAPTURE(c.so);
        CHECK(rig.at(fmt::format("AT+CMGS={}", c.length)) == "\r\n> ");
        CHECK(rig.say(c.pdu + "\x1A") == "\r\n+CMS ERROR: 304\r\n");
        CHECK(rig.at("AT") == "\r\nOK\r\n");
    }
    CHECK(rig.journal.submits.empty());
}

TEST_CASE("ESC after the prompt drops the entry and answers OK") {
    Rig rig;
    CHECK(rig.at("AT+CMGS=22") == "\r\n> ");
    CHECK(rig.say("0021000B91\x1B") == "\r\nOK\r\n");
    CHECK(rig.at("AT") == "\r\nOK\r\n");
    CHECK(rig.journal.submits.empty());
    CHECK(rig.say("\x1B") == "");  // without an entry it says nothing
}

TEST_CASE("while the network has the message, octets wait, ESC does nothing, and URCs come") {
    Rig rig{{.service = {.mean = 100ms}}};
    (void)rig.send();
    CHECK(rig.say("\x1B") == "");
    CHECK(rig.at("AT+CSQ") == "");
    rig.receive("hello");
    CHECK(rig.model.take_output() == "\r\n+CMTI: \"SM\",1\r\n");
    const std::string said = rig.pass(100ms);
    CHECK(said.starts_with("\r\n+CMGS: "));
    CHECK(said.ends_with("\r\n\r\nOK\r\n\r\n+CSQ: 15,0\r\n\r\nOK\r\n"));
    CHECK(rig.model.stats().lost_octets == 0);
}

TEST_CASE("of what comes while it is busy only 512 octets are kept") {
    Rig rig{{.service = {.mean = 100ms}}};
    (void)rig.send();
    (void)rig.say(std::string(600, ' '));
    CHECK(rig.model.stats().lost_octets == 88);
}

TEST_CASE("a URC does not come into the entry, it waits for its end") {
    Rig rig;
    CHECK(rig.at("AT+CMGS=22") == "\r\n> ");
    rig.receive("hello");
    CHECK(rig.model.take_output() == "");
    CHECK(rig.say("\x1B") == "\r\nOK\r\n\r\n+CMTI: \"SM\",1\r\n");
}

TEST_CASE("with echo a URC waits for the end of the line that is being typed") {
    Rig rig;
    (void)rig.at("ATE1");
    CHECK(rig.say("AT+C") == "AT+C");
    rig.receive("hello");
    CHECK(rig.model.take_output() == "");
    CHECK(rig.say("SQ\r") == "SQ\r\r\n+CMTI: \"SM\",1\r\n\r\n+CSQ: 15,0\r\n\r\nOK\r\n");
}

TEST_CASE("exponential service times have their mean, and come again from the seed") {
    const auto total = [] {
        Rig rig{{.service = {.mean = 100ms, .exponential = true}, .report_delay = std::nullopt}};
        std::chrono::microseconds sum{};
        for (int i = 0; i < 4000; ++i) {
            (void)rig.send();
            (void)rig.pass(10s);
        }
        REQUIRE(rig.journal.submits.size() == 4000);
        for (const auto& submit : rig.journal.submits) {
            sum += submit.service;
        }
        return sum;
    };
    const auto sum = total();
    CHECK(sum > 4000 * 95ms);  // three standard deviations of the mean are 4.7 ms
    CHECK(sum < 4000 * 105ms);
    CHECK(sum == total());
}

TEST_CASE("CMGW stores, CMSS sends what is stored, CMGD forgets it") {
    Rig rig;
    CHECK(rig.at("AT+CMGW=22") == "\r\n> ");
    CHECK(rig.say(std::string(Rig::sample_pdu) + "\x1A") == "\r\n+CMGW: 1\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CMGR=1") ==
          fmt::format("\r\n+CMGR: 2,,22\r\n{}\r\n\r\nOK\r\n", Rig::sample_pdu));
    CHECK(rig.at("AT+CMSS=1").starts_with("\r\n+CMSS: "));
    CHECK(rig.journal.submits.size() == 1);
    CHECK(rig.at("AT+CMGR=1").starts_with("\r\n+CMGR: 3,,22\r\n"));
    CHECK(rig.at("AT+CMGD=1") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CMSS=1") == "\r\n+CMS ERROR: 321\r\n");
}
