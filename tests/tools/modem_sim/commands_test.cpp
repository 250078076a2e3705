#include "tests/tools/modem_sim/rig.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace smsrack;
using test::Rig;

namespace {

/// The text between the line ends: "+CSQ: 15,0|OK".
std::string lines(const std::string& said) {
    std::string text;
    std::size_t at = 0;
    while (at < said.size()) {
        const std::size_t end = std::min(said.find("\r\n", at), said.size());
        if (end > at) {
            text += (text.empty() ? "" : "|") + said.substr(at, end - at);
        }
        at = end + 2;
    }
    return text;
}

}  // namespace

TEST_CASE("each command has its answer") {
    Rig rig;
    struct Case {
        const char* command;
        const char* answer;
    };
    // In this order: some read what others set.
    for (const Case& c : {
             Case{"AT", "OK"},
             Case{"ATE0V1Q0", "OK"},
             Case{"AT+CMEE=1", "OK"},
             Case{"ATE2", "ERROR"},
             Case{"ATV0", "ERROR"},
             Case{"ATI", " WAVECOM MODEM| MULTIBAND  900E  1800|OK"},
             Case{"AT+CGMI", " WAVECOM MODEM|OK"},
             Case{"AT+CGMM", " MULTIBAND  900E  1800|OK"},
             Case{"AT+CGMR", "657e09gg.Q2406B 1407796 091107 17:16|OK"},
             Case{"AT+CGSN", "332395011000000|OK"},
             Case{"AT+GSN", "332395011000000|OK"},
             Case{"AT+CIMI", "208014200000000|OK"},
             Case{"AT+CCID", "+CCID: \"8933012700000000005\"|OK"},
             Case{"AT+CNUM", "+CNUM: \"\",\"+33600000000\",145|OK"},
             Case{"AT+CPIN?", "+CPIN: READY"},
             Case{"AT+CPINC", "+CPINC: 3,3,10,10|OK"},
             Case{"AT+CPINC?", "+CPINC: 3,3,10,10|OK"},
             Case{"AT+CPIN=1234", "+CME ERROR: 3"},
             Case{"AT+CREG?", "+CREG: 0,1|OK"},
             Case{"AT+CREG=2", "OK"},
             Case{"AT+CREG?", "+CREG: 2,1,\"1A2B\",\"C3D4\"|OK"},
             Case{"AT+CREG=3", "+CME ERROR: 3"},
             Case{"AT+CREG=?", "+CREG: (0-2)|OK"},
             Case{"AT+CSQ", "+CSQ: 15,0|OK"},
             Case{"AT+COPS?", "+COPS: 0,0,\"SIMNET\"|OK"},
             Case{"AT+COPS=3,2;+COPS?", "+COPS: 0,2,\"20801\"|OK"},
             Case{"AT+COPS=9", "+CME ERROR: 3"},
             Case{"AT+CFUN?", "+CFUN: 1|OK"},
             Case{"AT+WIND?", "+WIND: 0|OK"},
             Case{"AT+WIND=32767", "OK"},
             Case{"AT+WIND?", "+WIND: 32767|OK"},
             Case{"AT+WIND=32768", "+CME ERROR: 3"},
             Case{"AT+CSMS?", "+CSMS: 0,1,1,1|OK"},
             Case{"AT+CSMS=1", "+CSMS: 1,1,1|OK"},
             Case{"AT+CSMS=2", "+CMS ERROR: 303"},
             Case{"AT+CPMS=?", "+CPMS: ((\"SM\",\"SR\",\"BM\",\"ME\"),(\"SM\",\"ME\"))|OK"},
             Case{"AT+CPMS?", "+CPMS: \"SM\",0,50,\"SM\",0,50|OK"},
             Case{"AT+CPMS=\"SR\"", "+CPMS: 0,20,0,50|OK"},
             Case{"AT+CPMS?", "+CPMS: \"SR\",0,20,\"SM\",0,50|OK"},
             Case{"AT+CPMS=\"SM\",\"SM\",\"SM\"", "+CPMS: 0,50,0,50|OK"},
             Case{"AT+CPMS=\"XM\"", "+CMS ERROR: 302"},
             Case{"AT+CPMS=\"SM\",\"BM\"", "+CMS ERROR: 302"},
             Case{"AT+CPMS=\"BM\"", "+CPMS: 0,20,0,50|OK"},
             Case{"AT+CPMS=\"ME\",\"ME\"", "+CPMS: 0,100,0,100|OK"},
             Case{"AT+CPMS=\"SM\",\"SM\"", "+CPMS: 0,50,0,50|OK"},
             Case{"AT+CPMS=\"SM\",\"SR\"", "+CMS ERROR: 302"},
             Case{"AT+CSCA?", "+CSCA: \"+33609001390\",145|OK"},
             Case{"AT+CSCA=\"+33609001391\"", "OK"},
             Case{"AT+CSCA?", "+CSCA: \"+33609001391\",145|OK"},
             Case{"AT+CMGF=0", "OK"},
             Case{"AT+CMGF?", "+CMGF: 0|OK"},
             Case{"AT+CMGF=2", "+CMS ERROR: 303"},
             Case{"AT+CNMI?", "+CNMI: 0,1,0,0,0|OK"},
             Case{"AT+CNMI=2,1,0,2,0", "OK"},
             Case{"AT+CNMI?", "+CNMI: 2,1,0,2,0|OK"},
             Case{"AT+CNMI=2,,,1", "OK"},
             Case{"AT+CNMI?", "+CNMI: 2,1,0,1,0|OK"},
             Case{"AT+CNMI=2,9", "+CMS ERROR: 302"},
             Case{"AT+CSAS", "OK"},
             Case{"AT+CMMS=2", "OK"},
             Case{"AT+CMMS?", "+CMMS: 2|OK"},
             Case{"AT+CMMS=3", "+CME ERROR: 3"},
             Case{"AT+IPR?", "+IPR: 115200|OK"},
             Case{"AT+IFC=2,2", "OK"},
             Case{"AT+CSCB=0,\"\",\"\"", "OK"},
             Case{"AT+CMGR=1", "+CMS ERROR: 321"},
             Case{"AT+CMGR=0", "+CMS ERROR: 321"},
             Case{"AT+CMGR=51", "+CMS ERROR: 321"},
             Case{"AT+CMGD=1", "+CMS ERROR: 321"},
             Case{"AT+CMGD=?", "+CMGD: (1-50),(0-4)|OK"},
             Case{"AT+CMGD=1,5", "+CMS ERROR: 302"},
             Case{"AT+CMGL=4", "OK"},
             Case{"AT+CMGL=5", "+CMS ERROR: 302"},
             Case{"AT+CMGS=0", "+CMS ERROR: 302"},
             Case{"AT+CMGS=165", "+CMS ERROR: 302"},
             Case{"AT+CMGS", "+CMS ERROR: 302"},
             Case{"AT+CMSS=1", "+CMS ERROR: 321"},
             Case{"AT+CNMA", "+CMS ERROR: 340"},
             Case{"AT+CLCC", "OK"},
             Case{"AT+CPAS", "+CPAS: 0|OK"},
             Case{"AT+CCLK?", "+CCLK: \"26/11/21,00:00:00\"|OK"},
             Case{"AT+FOO", "ERROR"},
             Case{"AT+CSQ=1", "ERROR"},
             Case{"ATD123", "ERROR"},
             Case{"AT+CSQ;+FOO;+CSQ", "+CSQ: 15,0|ERROR"},
             Case{"AT+CMEE=0", "OK"},
             Case{"AT+CMGR=1", "ERROR"},
             Case{"AT+CREG=9", "ERROR"},
         }) {
        CAPTURE(c.command);
        CHECK(lines(rig.at(c.command)) == c.answer);
    }
}

TEST_CASE("every response line is between line ends of its own") {
    Rig rig;
    CHECK(rig.at("AT+CSQ") == "\r\n+CSQ: 15,0\r\n\r\nOK\r\n");
}

TEST_CASE("--cpin-ok: the answer to AT+CPIN? ends like all others") {
    Rig rig{{.cpin_ok = true}};
    CHECK(lines(rig.at("AT+CPIN?")) == "+CPIN: READY|OK");
}

TEST_CASE("echo repeats what is typed, ATE0 ends it, AT&W keeps it over a restart") {
    Rig rig{{.boot = std::chrono::milliseconds(100)}};
    CHECK(rig.at("ATE1") == "\r\nOK\r\n");
    CHECK(rig.at("AT") == "AT\r\r\nOK\r\n");
    CHECK(rig.at("ATE0") == "ATE0\r\r\nOK\r\n");
    CHECK(rig.at("AT") == "\r\nOK\r\n");
    CHECK(rig.at("AT&W") == "\r\nOK\r\n");
    CHECK(rig.at("ATE1") == "\r\nOK\r\n");
    CHECK(rig.at("ATZ") == "ATZ\r\r\nOK\r\n");
    CHECK(rig.at("AT&F") == "\r\nOK\r\n");
    CHECK(rig.at("AT+CFUN=1") == "AT+CFUN=1\r\r\nOK\r\n");
    (void)rig.pass(std::chrono::seconds(1));
    CHECK(rig.at("AT") == "\r\nOK\r\n");
}

TEST_CASE("octets before AT are not heard, a broken line answers nothing but the next does") {
    Rig rig;
    CHECK(rig.say("\x1B\xFF\x01"
                  "zAT\r") == "\r\nOK\r\n");
    CHECK(rig.say("A\r") == "\r\nERROR\r\n");
    CHECK(rig.say("\r\n\r") == "");
    CHECK(rig.say("AT+C\x1B"
                  "AT\r") == "\r\nOK\r\n");  // ESC drops the line
    CHECK(rig.say("ATX\b\r") == "\r\nOK\r\n");
    CHECK(rig.say("AT" + std::string(5000, 'X') + "\r") == "\r\nOK\r\n");
}

TEST_CASE("+CUSD: the network answers a service code later") {
    Rig rig;
    CHECK(lines(rig.at("AT+CUSD=1,\"*100#\",15")) == "OK");
    CHECK(lines(rig.pass(std::chrono::seconds(1))) == "+CUSD: 0,\"Credit 12.50 EUR\",15");
}

TEST_CASE("+CUSD: in hexadecimal where +CSCS says so, a menu, and a network that stays silent") {
    Rig rig;
    CHECK(lines(rig.at("AT+CUSD=1,\"*102#\",15")) == "OK");
    CHECK(rig.pass(std::chrono::seconds(1)).contains("+CUSD: 1,\"1 Credit"));
    CHECK(lines(rig.at("AT+CUSD=1,\"*103#\",15")) == "OK");
    CHECK(rig.pass(std::chrono::seconds(9)).empty());
    CHECK(lines(rig.at("AT+CSCS=\"HEX\"")) == "OK");
    CHECK(lines(rig.at("AT+CUSD=1,\"2A31303023\",15")) == "OK");
    CHECK(lines(rig.pass(std::chrono::seconds(1))) ==
          "+CUSD: 0,\"4372656469742031322E353020455552\",15");
    CHECK(lines(rig.at("AT+CUSD=1,\"2A31303123\",15")) == "OK");
    CHECK(lines(rig.pass(std::chrono::seconds(1))).starts_with("+CUSD: 0,\"04110430"));
}

TEST_CASE("no two modems of a rack are alike, and their numbers have right check digits") {
    const auto luhn = [](const std::string& digits) {
        int sum = 0;
        for (std::size_t i = 0; i < digits.size(); ++i) {
            const int digit = digits[digits.size() - 1 - i] - '0';
            const int weighed = i % 2 == 0 ? digit : digit * 2;
            sum += weighed > 9 ? weighed - 9 : weighed;
        }
        return sum % 10;
    };
    std::set<std::string> seen;
    for (unsigned i = 0; i < 256; ++i) {
        const modem_sim::Identity identity = modem_sim::make_identity(i);
        CHECK(identity.imei.size() == 15);
        CHECK(identity.iccid.size() == 19);
        CHECK(luhn(identity.imei) == 0);
        CHECK(luhn(identity.iccid) == 0);
        for (const std::string& name :
             {identity.imei, identity.imsi, identity.iccid, identity.number}) {
            CHECK(seen.insert(name).second);
        }
    }
}

TEST_CASE("three memories where the firmware has them, two as a WAVECOM") {
    for (const bool mem3 : {false, true}) {
        CAPTURE(mem3);
        Rig rig{{.mem3 = mem3}};
        const std::string third = mem3 ? ",\"SM\",0,50" : "";
        CHECK(rig.at("AT+CPMS?") ==
              "\r\n+CPMS: \"SM\",0,50,\"SM\",0,50" + third + "\r\n\r\nOK\r\n");
    }
}
