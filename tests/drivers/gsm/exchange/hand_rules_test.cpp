#include "drivers/gsm/exchange/hand_rules.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

namespace smsrack::gsm {
namespace {

constexpr std::array of_family{HandRefusal{"+WDWL", HandForm::any, "waits for a firmware"}};

}  // namespace

TEST_CASE("plan_of: what reads is let through, what sets is followed by a new set-up") {
    struct Case {
        const char* command;
        const char* text;
        const char* prefix;
        bool sets_up_anew;
    };
    for (const Case& one :
         {Case{"AT", "AT", "", false}, Case{"at", "AT", "", false}, Case{"ATI", "ATI", "", false},
          Case{"AT+CSQ", "AT+CSQ", "+CSQ:", false}, Case{"at+creg?", "AT+CREG?", "+CREG:", false},
          Case{"AT+CPMS=?", "AT+CPMS=?", "+CPMS:", false},
          Case{"AT + CLIP = \"+33 6\"", "AT+CLIP=\"+33 6\"", "+CLIP:", true},
          Case{"AT+CMGF=1", "AT+CMGF=1", "+CMGF:", true},
          Case{"AT+CNMI=2,1", "AT+CNMI=2,1", "+CNMI:", true},
          Case{"AT+CPIN?", "AT+CPIN?", "+CPIN:", false},
          Case{"AT+CMGL=4", "AT+CMGL=4", "+CMGL:", false},
          Case{"AT+CMGR=1", "AT+CMGR=1", "+CMGR:", false},
          Case{"AT+IPR?", "AT+IPR?", "+IPR:", false},
          Case{"AT+WOPEN=0", "AT+WOPEN=0", "+WOPEN:", true}}) {
        CAPTURE(one.command);
        const auto plan = plan_of(one.command, of_family);
        REQUIRE(plan.has_value());
        CHECK(plan->text == one.text);
        CHECK(plan->prefix == one.prefix);
        CHECK(plan->sets_up_anew == one.sets_up_anew);
    }
}

TEST_CASE("plan_of: what would lose a message or break the line is refused, with the reason") {
    struct Case {
        const char* command;
        const char* why;
    };
    for (const Case& one :
         {Case{"AT+CMGS=20", "smsrack send"}, Case{"at+cmgw=1", "smsrack send"},
          Case{"AT+CMSS=1", "smsrack send"}, Case{"AT+CMGD=1,4", "not kept yet"},
          Case{"AT+CNMA", "not kept yet"}, Case{"AT+CUSD=1,\"*100#\",15", "smsrack ussd"},
          Case{"AT+IPR=9600", "part the modem from its port"}, Case{"AT+CPOF", "power switch"},
          Case{"AT+COPS=?", "minutes"}, Case{"AT+WDWL", "waits for a firmware"},
          Case{"ATE1", "without a plus"}, Case{"ATD+33612345678;", "one command"},
          Case{"ATI+CMGF=1", "without a plus"}, Case{"AT+CSQ;+CMGD=1", "one command"},
          Case{"AT+CSQ=\";+CMGD=1", "one command"}, Case{"CSQ", "begins with AT"},
          Case{"AT+CSQ+CPIN=1", "no name"}, Case{"AT+CSQ\r\nAT+CMGD=1", "printable"},
          Case{"", "begins with AT"}}) {
        CAPTURE(one.command);
        const auto plan = plan_of(one.command, of_family);
        REQUIRE(!plan.has_value());
        CHECK(plan.error().code == Errc::bad_request);
        CHECK(plan.error().context.contains(one.why));
    }
    CHECK(!plan_of("AT+CSQ" + std::string(hand_command_max, '0'), of_family));
}

TEST_CASE(
    "plan_of: what can lock or divert a SIM needs to be forced; what is refused stays refused") {
    for (const char* const command :
         {"AT+CPIN=\"1234\"", "at + cpin = 1234", "AT+CSCA=\"+33609001390\""}) {
        CAPTURE(command);
        const auto refused = plan_of(command, of_family);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::forbidden);
        CHECK(refused.error().context.contains("--force"));
        CHECK_FALSE(refused.error().context.contains("1234"));
        CHECK(plan_of(command, of_family, true));
    }
    CHECK_FALSE(plan_of("AT+CSQ;+CPIN=\"1234\"", of_family, true));
    CHECK_FALSE(plan_of("AT+CMGD=1,4", of_family, true));
    CHECK_FALSE(plan_of("AT+WDWL", of_family, true));
    CHECK(plan_of("AT+WDWL", {}));  // to another family it is a command like any other
}

}  // namespace smsrack::gsm
