#include "drivers/serial/mask.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

TEST_CASE("mask: PINs are never shown, texts and numbers only as their length") {
    struct Case {
        const char* line;
        const char* masked;
        const char* without_secret;
    };
    for (const Case& c : {
             Case{"AT+CPIN=\"1234\"", "AT+CPIN=******", "AT+CPIN=******"},
             Case{"at+cpin=1234", "at+cpin=****", "at+cpin=****"},
             Case{"AT+CPIN?", "AT+CPIN?", "AT+CPIN?"},
             Case{"AT+CLCK=\"SC\",1,\"1234\"", "AT+CLCK=*************", "AT+CLCK=*************"},
             Case{"AT+CPWD=\"SC\",\"1\",\"2\"", "AT+CPWD=************", "AT+CPWD=************"},
             Case{"AT+CMEE=1;+CPIN=1234", "AT+CMEE=1;+CPIN=****", "AT+CMEE=1;+CPIN=****"},
             Case{"AT+CPIN=", "AT+CPIN=", "AT+CPIN="},
             Case{"AT+CMGS=140", "AT+CMGS=140", "AT+CMGS=140"},
             Case{"0011000B913316325476F8", "0011...(22 digits)", "0011000B913316325476F8"},
             Case{"+CUSD: 0,\"You have 3 EUR\",15", "+CUSD: 0,\"...(14 characters)\",15",
                  "+CUSD: 0,\"You have 3 EUR\",15"},
             Case{"AT+CUSD=1,\"*100#\",15", "AT+CUSD=1,\"...(5 characters)\",15",
                  "AT+CUSD=1,\"*100#\",15"},
             Case{"+CUSD: 0,\"cut off", "+CUSD: 0,\"...(7 characters)\"", "+CUSD: 0,\"cut off"},
             Case{"+CLIP: \"12345\",129", "+CLIP: \"...(5 characters)\",129",
                  "+CLIP: \"12345\",129"},
             Case{"+CNUM: \"\",\"+336\",145", "+CNUM: \"\",\"...(4 characters)\",145",
                  "+CNUM: \"\",\"+336\",145"},
             Case{"+CPMS: \"SM\",3,50", "+CPMS: \"SM\",3,50", "+CPMS: \"SM\",3,50"},
             Case{"+COPS: 0,0,\"F SFR\"", "+COPS: 0,0,\"F SFR\"", "+COPS: 0,0,\"F SFR\""},
             Case{"+CREG: 1,1,\"00AB\",\"12FE\"", "+CREG: 1,1,\"00AB\",\"12FE\"",
                  "+CREG: 1,1,\"00AB\",\"12FE\""},
             Case{"AT+CUSD=1,\"**04*1234*1#\",15", "AT+CUSD=1,\"\"****************",
                  "AT+CUSD=1,\"****************"},
             Case{"AT+CUSD=1,\"*33*0000#\",15", "AT+CUSD=1,\"\"*************",
                  "AT+CUSD=1,\"*************"},
             Case{"AT+CUSD=1,\"2A2A30342A31\",15", "AT+CUSD=1,\"\"****************",
                  "AT+CUSD=1,\"****************"},
             Case{"AT+CUSD=1,\"2A313030\",15", "AT+CUSD=1,\"...(8 characters)\",15",
                  "AT+CUSD=1,\"2A313030\",15"},
             Case{"", "", ""},
         }) {
        CAPTURE(c.line);
        std::string masked;
        serial::append_masked(masked, c.line);
        CHECK(masked == c.masked);
        std::string without_secret;
        serial::append_without_secret(without_secret, c.line);
        CHECK(without_secret == c.without_secret);
    }
}
