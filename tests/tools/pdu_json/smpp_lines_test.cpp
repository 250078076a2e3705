#include "tools/pdu_json/smpp_lines.hpp"

#include "tests/tools/pdu_json/line_answers.hpp"

#include <fmt/format.h>

using namespace smsrack;
using namespace smsrack::tools;

namespace {

wire::Json shown(const std::string& line, smpp::Coding by_default = smpp::Coding::gsm7) {
    SmppLines worker(by_default);
    return answer(worker, line);
}

/// With its length in front.
std::string whole(const std::string& rest) {
    constexpr std::size_t length_digits = 8;
    return fmt::format("{:08x}{}", (rest.size() + length_digits) / 2, rest);
}

}  // namespace

TEST_CASE("smpp lines: a PDU is one object, its text in the coding that it names") {
    const std::string line = whole(
        "000000040000000000000005"
        "0005004d6500010133333100"  // service_type, source, destination
        "0000000000"                // esm_class, protocol_id, priority, schedule, validity
        "01000000"                  // receipt, replace, coding, default message
        "03480069");
    const wire::Json json = shown(" " + line + "\r");
    CHECK(json["command"] == "submit_sm");
    CHECK(json["sequence"] == 5);
    CHECK_FALSE(json.contains("status"));
    CHECK(json["source"] == wire::Json{{"ton", 5}, {"npi", 0}, {"text", "Me"}});
    CHECK(json["short_message"] == "480069");
    CHECK(json["text"] == "H@i");
    CHECK(shown(line, smpp::Coding::latin1)["text"] == std::string("H\0i", 3));
}

TEST_CASE("smpp lines: a password is not shown") {
    const wire::Json json =
        shown(whole("000000090000000000000001"
                    "6d6500"
                    "73656372657400"
                    "00"
                    "34"
                    "0000"
                    "00"));
    CHECK(json["command"] == "bind_transceiver");
    CHECK(json["system_id"] == "me");
    CHECK(json["has_password"] == true);
    CHECK(json.dump().find("secret") == std::string::npos);
}

TEST_CASE("smpp lines: an answer has its status, by name or by number") {
    CHECK(shown("00000010800000040000005800000002")["status"] == "ESME_RTHROTTLED");
    CHECK(shown("00000010800000040000040000000002")["status"] == "0x00000400");
}

TEST_CASE("smpp lines: a bad line says what is wrong and at which character") {
    CHECK(shown("")["error"]["code"] == "empty");
    CHECK(shown("00zz")["error"] == wire::Json{{"code", "bad_hex"},
                                               {"message", shown("00zz")["error"]["message"]},
                                               {"offset", 2}});
    CHECK(shown("00000011000000150000000000000001")["error"]["code"] == "ESME_RINVCMDLEN");
    CHECK(shown("0000001000000015000000000000000100")["error"]["code"] == "ESME_RINVCMDLEN");
    CHECK(shown("00000010000000770000000000000001")["error"] ==
          wire::Json{{"code", "ESME_RINVCMDID"},
                     {"message", "command_id: no such command"},
                     {"offset", 8}});
    CHECK(shown("00000010000000040000000000000001")["error"] ==
          wire::Json{{"code", "ESME_RINVSERTYP"},
                     {"message", "service_type: no such service type"},
                     {"offset", 32}});
}
