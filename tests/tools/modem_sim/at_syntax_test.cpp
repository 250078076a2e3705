#include "tools/modem_model/at_syntax.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using modem_sim::AtForm;

namespace {

/// "E[0] +CMEE=[1] +CREG?" for a line.
std::string told(std::string_view line) {
    const auto commands = modem_sim::parse_at_line(line);
    if (!commands) {
        return "none";
    }
    std::string text;
    for (const auto& command : *commands) {
        const char* sign = command.form == AtForm::read   ? "?"
                           : command.form == AtForm::test ? "=?"
                           : command.form == AtForm::set  ? "="
                                                          : "";
        text += (text.empty() ? "" : " ") + command.name + sign;
        if (!command.arguments.empty()) {
            text += "[" + std::string(command.arguments) + "]";
        }
    }
    return text;
}

}  // namespace

TEST_CASE("a command line is split into its commands") {
    struct Case {
        const char* line;
        const char* commands;
    };
    for (const Case& c : {
             Case{"AT", ""},
             Case{"at", ""},
             Case{"", "none"},
             Case{"A", "none"},
             Case{"XAT", "none"},
             Case{"ATE0", "E[0]"},
             Case{"ate0v1", "E[0] V[1]"},
             Case{"AT&F E1", "&F E[1]"},
             Case{"ATZ", "Z"},
             Case{"ATS0=1", "S[0=1]"},
             Case{"AT+CMGS=24", "+CMGS=[24]"},
             Case{"AT+CREG?", "+CREG?"},
             Case{"AT+CPMS=?", "+CPMS=?"},
             Case{"AT+csq", "+CSQ"},
             Case{"ATE0+CMEE=1;+CREG?", "E[0] +CMEE=[1] +CREG?"},
             Case{"AT+CUSD=1,\"a;b\",15;+CSQ", "+CUSD=[1,\"a;b\",15] +CSQ"},
             Case{"AT+CSQ?x", "+CSQ?x"},
             Case{"AT$TSSPCSW=?", "?"},
             Case{"ATD*99#;+CSQ", "D[*99#;+CSQ]"},
             Case{"AT+CFUN=", "+CFUN="},
         }) {
        CAPTURE(c.line);
        CHECK(told(c.line) == c.commands);
    }
}

TEST_CASE("arguments are split at commas outside quotes") {
    const modem_sim::AtArguments arguments("1,\"a,b\",,x,3 ,");
    REQUIRE(arguments.size() == 6);
    CHECK(arguments.number(0) == 1);
    CHECK(arguments.text(1) == "a,b");
    CHECK(arguments.text(2).empty());
    CHECK_FALSE(arguments.number(2));
    CHECK(arguments.number_or(2, 9) == 9);
    CHECK_FALSE(arguments.number_or(3, 9));  // there, and no number
    CHECK_FALSE(arguments.number(17));
    CHECK(modem_sim::AtArguments("").size() == 0);
}
