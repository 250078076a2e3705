#include "tools/modem_model/sms/text_mode.hpp"

#include "tests/tools/modem_sim/rig.hpp"
#include "tools/modem_model/sms/hex.hpp"

using namespace smsrack;
using test::Rig;

namespace {

constexpr std::string_view ctrl_z = "\x1A";

std::string send(Rig& rig, std::string_view command, std::string_view text) {
    const std::string prompt = rig.at(command);
    return prompt == "\r\n> " ? rig.say(std::string(text) + std::string(ctrl_z)) : prompt;
}

}  // namespace

TEST_CASE("text mode: a number and a text become the PDU that another codec reads") {
    Rig rig;
    CHECK(rig.at("AT+CMGF=1") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CMGF?") == "\r\n+CMGF: 1\r\n\r\nOK\r\n");
    CHECK(send(rig, "AT+CMGS=\"+33612345678\"", "hellohello").starts_with("\r\n+CMGS: "));
    REQUIRE(rig.journal.submits.size() == 1);
    CHECK(rig.journal.submits[0].to == "+33612345678");
    // TP-VP one day, no report; the golden vectors have the same text so.
    CHECK(rig.journal.submits[0].pdu ==
          modem_sim::from_hex("0011000B913316325476F80000A70AE8329BFD4697D9EC37").value());
    SUBCASE("with a report, as +CSMP says") {
        CHECK(rig.at("AT+CSMP=49,167,0,0") == "\r\nOK\r\n");
        CHECK(send(rig, "AT+CMGS=\"0612345678\",129", "x").starts_with("\r\n+CMGS: "));
        CHECK(rig.journal.submits[1].to == "0612345678");
        CHECK((rig.journal.submits[1].pdu.at(1) & 0x20) != 0);
    }
    SUBCASE("type 145 without a plus") {
        (void)send(rig, "AT+CMGS=\"33612345678\",145", "x");
        CHECK(rig.journal.submits[1].to == "+33612345678");
    }
}

TEST_CASE("text mode: several lines, a character taken back, and ESC") {
    Rig rig;
    (void)rig.at("AT+CMGF=1");
    CHECK(rig.at("AT+CMGW=\"+336\"") == "\r\n> ");
    CHECK(rig.say("onx\b\rtwo") == "\r\n> ");
    CHECK(rig.say(ctrl_z) == "\r\n+CMGW: 1\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CMGR=1") == "\r\n+CMGR: \"STO UNSENT\",\"+336\",,\r\non\ntwo\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CMGS=\"+336\"") == "\r\n> ");
    CHECK(rig.say("gone\x1B") == "\r\nOK\r\n");
    CHECK(rig.journal.submits.empty());
}

TEST_CASE("text mode: what can't be said so is refused") {
    Rig rig;
    (void)rig.at("AT+CMGF=1");
    CHECK(rig.at("AT+CMGS=\"somebody\"") == "\r\n+CMS ERROR: 302\r\n");
    CHECK(rig.at("AT+CMGS=20") == "\r\n> ");  // a short number
    CHECK(rig.say("\x1B") == "\r\nOK\r\n");
    CHECK(send(rig, "AT+CMGS=\"+336\"", std::string(161, 'x')) == "\r\n+CMS ERROR: 305\r\n");
    CHECK(send(rig, "AT+CMGS=\"+336\"", "caf\xC3\xA9") == "\r\n+CMS ERROR: 305\r\n");
    (void)rig.at("AT+CSMP=17,167,0,8");  // UCS-2
    CHECK(send(rig, "AT+CMGS=\"+336\"", "x") == "\r\n+CMS ERROR: 305\r\n");
    CHECK(rig.journal.submits.empty());
}

TEST_CASE("text mode: received messages are read and listed as text, what is none as its PDU") {
    Rig rig;
    rig.receive("hello");
    rig.receive("\xD0\x9F", 2);  // Cyrillic
    (void)rig.model.take_output();
    CHECK(rig.at("AT+CMGL=\"ALL\"").starts_with("\r\n+CMS ERROR: "));  // a word in PDU mode
    (void)rig.at("AT+CMGF=1");
    const std::string time = "\"26/11/21,00:00:00+00\"";
    CHECK(rig.at("AT+CMGR=1") ==
          "\r\n+CMGR: \"REC UNREAD\",\"+33611223344\",," + time + "\r\nhello\r\n\r\nOK\r\n");
    const std::string unread = rig.at("AT+CMGL");
    CHECK(unread.starts_with("\r\n+CMGL: 2,\"REC UNREAD\",\"\",,\r\n07913306"));
    CHECK(rig.at("AT+CMGL=\"REC UNREAD\"") == "\r\nOK\r\n");
    const std::string all = rig.at("AT+CMGL=\"ALL\"");
    CHECK(all.contains("+CMGL: 1,\"REC READ\",\"+33611223344\",," + time + "\r\nhello\r\n"));
    CHECK(all.contains("+CMGL: 2,\"REC READ\""));
    CHECK(rig.at("AT+CMGL=\"SOME\"").starts_with("\r\n+CMS ERROR: "));
}

TEST_CASE(
    "memories: ME is written to, read and sent from; BM is empty; a restart goes back to SM") {
    Rig rig;
    (void)rig.at("AT+CMGF=1");
    (void)rig.at("AT+CPMS=\"ME\",\"ME\"");
    CHECK(send(rig, "AT+CMGW=\"+336\"", "kept").starts_with("\r\n+CMGW: 1\r\n"));
    CHECK(rig.at("AT+CPMS?") == "\r\n+CPMS: \"ME\",1,100,\"ME\",1,100\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CMSS=1").starts_with("\r\n+CMSS: "));
    CHECK(rig.at("AT+CMGR=1").starts_with("\r\n+CMGR: \"STO SENT\",\"+336\""));
    CHECK(rig.journal.submits.size() == 1);
    (void)rig.at("AT+CPMS=\"BM\"");
    CHECK(rig.at("AT+CMGL=\"ALL\"") == "\r\nOK\r\n");
    rig.receive("hello");
    (void)rig.model.take_output();
    (void)rig.at("AT+CPMS=\"SM\",\"SM\"");
    CHECK(rig.at("AT+CPMS?") == "\r\n+CPMS: \"SM\",1,50,\"SM\",1,50\r\n\r\nOK\r\n");
    (void)rig.at("AT+CPMS=\"ME\"");
    (void)rig.at("AT&W");  // no echo
    rig.inject(modem_sim::make_fault(modem_sim::FaultKind::reboot));
    (void)rig.pass(std::chrono::seconds(10));
    CHECK(rig.at("AT+CMGF?") == "\r\n+CMGF: 0\r\n\r\nOK\r\n");
    CHECK(rig.at("AT+CPMS?").starts_with("\r\n+CPMS: \"SM\",1,50"));
}
