#include "src/wire/json.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <string>

namespace smsrack::cli {
namespace {

const std::string hello = "0791947106004034040C9194712243658700004260502170548005E8329BFD06";

TEST_CASE("smsrack pdu: needs no service, and its exit code says if a line was bad") {
    struct Row {
        const char* so;
        const char* words;
        std::string input;
        int code;
        const char* member;  // of the first line; "": no output
    };
    for (const Row& row : {
             Row{"a good line", "pdu decode", hello + "\n", 0, "text"},
             Row{"a bad line, and the next", "pdu decode", "x\n" + hello + "\n", 1, "error"},
             Row{"no line", "pdu decode", "", 0, ""},
             Row{"bare TPDUs", "pdu decode --no-smsc", hello.substr(16), 0, "text"},
             Row{"from the mobile", "pdu decode --direction mo", "0000D300", 0, "tp_fcs"},
             Row{"as memory has it", "pdu decode --direction auto", hello, 0, "smsc"},
             Row{"no such direction", "pdu decode --direction up", hello, 64, ""},
             Row{"no such option", "pdu decode --fast", hello, 64, ""},
             Row{"neither", "pdu", hello, 64, ""},
             Row{"a request", "pdu encode", R"({"to":"+1","text":"a"})", 0, "segments"},
             Row{"a bad request", "--json pdu encode", "{}", 1, "error"},
         }) {
        CAPTURE(std::string(row.so));
        const auto run = test::run_smsrack(row.words, "/nowhere.sock", row.input);
        CHECK(run.code == row.code);
        CHECK(run.err.empty() == (row.code != 64));
        const std::string first = run.out.substr(0, run.out.find('\n'));
        REQUIRE(first.empty() == std::string(row.member).empty());
        if (!first.empty()) {
            const auto json = wire::parse_json(first);
            REQUIRE(json.has_value());
            CHECK(json->contains(row.member));
        }
    }
}

}  // namespace
}  // namespace smsrack::cli
