#include "drivers/gsm/exchange/sim_danger.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {

TEST_CASE("danger_of_command: PINs, locks, forwarding, service centre; however it is written") {
    struct Case {
        const char* command;
        const char* does;  // empty: it is none
        bool has_secret;
    };
    for (const Case& it : {Case{"AT+CPIN=\"1234\"", "lock", true},
                           Case{"at+cpin=1234", "lock", true},
                           Case{"AT + C P I N = 1234", "lock", true},
                           Case{"AT+CPIN=\"12345678\",\"1234\"", "lock", true},
                           Case{"AT+CPIN2=\"1234\"", "lock", true},
                           Case{"AT+CPIN\"1234\"", "lock", true},
                           Case{"AT+CPWD=\"SC\",\"1234\",\"4321\"", "lock", true},
                           Case{"AT+CLCK=\"SC\",1,\"1234\"", "lock", true},
                           Case{"AT+CLCK=\"SC\",0,\"2\"", "lock", true},
                           Case{"AT+CLCK=\"SC,2\",1", "lock", true},
                           Case{"AT+CCFC=0,3,\"+33612345678\"", "divert", false},
                           Case{"AT+CSCA=\"+33609001390\"", "service centre", false},
                           Case{"AT+CRSM=220,28482,1,4,40", "the SIM itself", true},
                           Case{"AT+CSIM=26,\"0020000108\"", "the SIM itself", true},
                           Case{"AT+CSQ;+CPIN=\"1234\"", "lock", true},
                           Case{"ATE0+CPIN=\"1234\"", "lock", true},
                           Case{"at+csq ; + cpin = 1234", "lock", true},
                           Case{"AT+CPIN?;+CPIN=1234", "lock", true},
                           Case{"AT+CPIN?", "", false},
                           Case{"AT+CPIN=?", "", false},
                           Case{"AT+CLCK=\"SC\",2", "", false},
                           Case{"AT+CLCK=?", "", false},
                           Case{"AT+CCFC=0,2", "", false},
                           Case{"AT+CSCA?", "", false},
                           Case{"AT+CPINC", "", false},
                           Case{"AT+CPINC?", "", false},
                           Case{"AT+CSQ", "", false},
                           Case{"AT", "", false},
                           Case{"", "", false}}) {
        CAPTURE(it.command);
        const SimDanger danger = danger_of_command(it.command);
        CHECK(danger.does.empty() == std::string_view(it.does).empty());
        CHECK(danger.does.contains(it.does));
        CHECK(danger.has_secret == it.has_secret);
        CHECK(refuse_danger(danger).has_value() == danger.does.empty());
    }
}

TEST_CASE("danger_of_code: codes that change a PIN, forward or bar; those that ask do not") {
    struct Case {
        const char* code;
        bool is_danger;
        bool has_secret;
    };
    for (const Case& it : {Case{"**04*1234*4321*4321#", true, true},
                           Case{"**042*1234*4321*4321#", true, true},
                           Case{"**05*12345678*1234*1234#", true, true},
                           Case{"**052*12345678*1*1#", true, true},
                           Case{"*03**0000*1234*1234#", true, true},
                           Case{"**03*330*0000*1234*1234#", true, true},
                           Case{"**21*+33612345678#", true, false},
                           Case{"*21*0612345678#", true, false},
                           Case{"#21#", true, false},
                           Case{"##21#", true, false},
                           Case{"##002#", true, false},
                           Case{"**61*0612345678**20#", true, false},
                           Case{"*67*0612345678#", true, false},
                           Case{"*62#", true, false},
                           Case{"*33*0000#", true, true},
                           Case{"#330*0000#", true, true},
                           Case{"*#21#", false, false},
                           Case{"*#06#", false, false},
                           Case{"*100#", false, false},
                           Case{"*210#", false, false},
                           Case{"#123#", false, false},
                           Case{"1", false, false},
                           Case{"21", false, false},
                           Case{"", false, false},
                           Case{"**", false, false}}) {
        CAPTURE(it.code);
        const SimDanger danger = danger_of_code(it.code);
        CHECK(!danger.does.empty() == it.is_danger);
        CHECK(danger.has_secret == it.has_secret);
    }
}

}  // namespace smsrack::gsm
