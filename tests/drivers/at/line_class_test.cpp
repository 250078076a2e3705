#include "drivers/at/line_class.hpp"

#include "drivers/at/final_result.hpp"
#include "drivers/at/pdu_line.hpp"
#include "drivers/gsm/facts.hpp"
#include "drivers/wavecom/profile.hpp"

#include <doctest/doctest.h>

#include <string>

namespace smsrack::at {

TEST_CASE("classify: each line is exactly one thing, by the command in flight") {
    const LineContext none;
    const LineContext creg{
        .echo = "AT+CREG?", .prefix = "+CREG:", .is_answer = gsm::is_creg_answer};
    const LineContext cmgr{.prefix = "+CMGR:"};
    const LineContext cmgs{.echo = "0011", .prefix = "+CMGS:"};
    struct Case {
        const char* line;
        const LineContext& context;
        LineKind kind;
    };
    for (const Case& c : {
             Case{"AT+CREG?", creg, LineKind::echo},
             Case{"AT+CREG?", cmgr, LineKind::data},
             Case{"0011", cmgs, LineKind::echo},
             Case{"OK", none, LineKind::final_result},
             Case{"OK", creg, LineKind::final_result},
             Case{"ERROR", creg, LineKind::final_result},
             Case{"+CMS ERROR: 38", cmgs, LineKind::final_result},
             Case{"+CME ERROR: SIM busy", creg, LineKind::final_result},
             Case{"OKAY", creg, LineKind::data},
             Case{"+CREG: 1,5", creg, LineKind::intermediate},
             Case{"+CREG: 2,1,\"1A2B\",\"C3D4\"", creg, LineKind::intermediate},
             Case{"+CREG: 5", creg, LineKind::urc},
             Case{"+CREG: 1,\"1A2B\",\"C3D4\"", creg, LineKind::urc},
             Case{"+CREG: 1,5", none, LineKind::urc},
             Case{"+CMGS: 12", cmgs, LineKind::intermediate},
             Case{"+CMGS: 12", none, LineKind::urc},
             Case{"+CMTI: \"SM\",3", cmgr, LineKind::urc},
             Case{"+CMT: ,24", cmgr, LineKind::urc},
             Case{"+CDS: 25", none, LineKind::urc},
             Case{"+CDSI: \"SR\",1", none, LineKind::urc},
             Case{"+WIND: 3", cmgs, LineKind::urc},
             Case{"RING", none, LineKind::urc},
             Case{"+CMGR: 0,,24", cmgr, LineKind::intermediate},
             Case{"0791331600000000", cmgr, LineKind::data},
             Case{"353270041234567", none, LineKind::data},
         }) {
        CAPTURE(c.line);
        CHECK(classify(c.line, c.context, wavecom::profile.urcs.rules()) == c.kind);
    }
}

TEST_CASE("parse_final_result: the codes, however they are spaced; words count as unknown") {
    struct Case {
        const char* line;
        FinalResult result;
    };
    for (const Case& c : {
             Case{"OK", {FinalKind::ok}},
             Case{"ERROR", {FinalKind::error}},
             Case{"+CMS ERROR: 38", {FinalKind::cms_error, 38}},
             Case{"+CMS ERROR:512", {FinalKind::cms_error, 512}},
             Case{"+CMS ERROR 21", {FinalKind::cms_error, 21}},
             Case{"+CMS ERROR", {FinalKind::cms_error, 500}},
             Case{"+CMS ERROR: network timeout", {FinalKind::cms_error, 500}},
             Case{"+CMS ERROR: 99999999999999", {FinalKind::cms_error, 500}},
             Case{"+CME ERROR: 10", {FinalKind::cme_error, 10}},
             Case{"+CME ERROR: SIM not inserted", {FinalKind::cme_error, 100}},
         }) {
        CAPTURE(c.line);
        const auto result = parse_final_result(c.line);
        REQUIRE(result);
        CHECK(*result == c.result);
    }
    for (const char* line : {"", "ok", "OK.", "ERRORS", "+CMS", "NO CARRIER", "> "}) {
        CAPTURE(line);
        CHECK(!parse_final_result(line));
    }
}

TEST_CASE("pdu_fits: a PDU line is recognised by the length in its header") {
    // 7 octets of service centre after its length, 3 of TPDU
    const std::string pdu = "0791331600000000040B91";
    CHECK(pdu_fits("+CMT: ,3", pdu));
    CHECK(pdu_fits("+CDS: 3", pdu));
    CHECK(pdu_fits("+CMGL: 1,0,,3", pdu));
    CHECK(pdu_fits("+CMGR: 0,\"Bob, Inc\",3", pdu));
    CHECK(!pdu_fits("+CMT: ,4", pdu));
    CHECK(!pdu_fits("+CMT:", pdu));
    CHECK(!pdu_fits("+CMT: ,3", "353270041234567"));
    CHECK(!pdu_fits("+CMT: ,3", "OK"));
    CHECK(!pdu_fits("+CMT: ,3", ""));
}

TEST_CASE("octets_of and append_hex: each undoes the other") {
    std::string all;
    for (int octet = 0; octet < 256; ++octet) {
        all += static_cast<char>(octet);
    }
    std::string hex;
    append_hex(hex, all);
    CHECK(hex.starts_with("000102"));
    CHECK(hex.ends_with("FDFEFF"));
    CHECK(octets_of(hex) == all);
    CHECK(octets_of("0aFf") == std::string("\x0a\xff"));
    for (const char* line : {"", "0", "0G", "00 ", "0x00"}) {
        CAPTURE(line);
        CHECK(!octets_of(line));
    }
}

TEST_CASE("tpdu_length: what AT+CMGS gets, without the service centre") {
    CHECK(tpdu_length(std::string("\0\x11\0", 3)) == 2);
    CHECK(tpdu_length(std::string("\x02\x91\x33\x11", 4)) == 1);
    CHECK(!tpdu_length(""));
    CHECK(!tpdu_length(std::string("\x00", 1)));
    CHECK(!tpdu_length(std::string("\x07\x91", 2)));
}

}  // namespace smsrack::at
