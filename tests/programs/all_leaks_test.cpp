// The service built with ASan, UBSan and the check for leaks (preset check): started, put to work,
// reconfigured, stopped.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

const std::filesystem::path service = SMSRACK_SOURCE_DIR "/build/check/bin/smsrackd";

/// Each kind of work once or more; what is asked need not be granted.
void work(const Rack& rack) {
    rack.simulate({{"do", "inbound"}, {"text", "in {id}"}, {"count", 10}});
    // Before an answer is lost: a modem that owes one is asked for nothing else, what it stored neither.
    CHECK(wait_for(20s, [&] { return rack.inbox().size() >= 10; }));
    rack.simulate({{"do", "cms_error"}, {"modem", 0}, {"code", 38}, {"count", 2}});
    rack.simulate({{"do", "lose_answer"}, {"modem", 1}, {"count", 1}});
    std::vector<std::string> ids;
    for (int n = 0; n < 40; ++n) {
        const std::string text = n % 4 == 0 ? std::string(400, 'x') : "Привет " + std::to_string(n);
        ids.push_back(rack.submit({{"to", "+336000001" + std::to_string(10 + n)}, {"text", text}}));
    }
    UnixStream events(rack.socket());
    CHECK(events.send("GET /v1/events HTTP/1.1\r\nHost: a\r\n\r\n"));
    for (const std::string& id : ids) {
        (void)rack.reaches(id, "delivered");
        CHECK(rack.http("GET", "/v1/messages/" + id + "/explain").status == 200);
    }
    CHECK_FALSE(events.receive().empty());
    for (const char* const path :
         {"/v1/messages", "/v1/inbox", "/v1/modems", "/v1/status", "/v1/attention", "/v1/scaling",
          "/v1/batches", "/v1/clients", "/v1/optouts", "/v1/openapi.json", "/metrics", "/readyz"}) {
        CAPTURE(path);
        CHECK(rack.http("GET", path).status == 200);
    }
    CHECK(rack.http("POST", "/v1/messages", "nonsense").status == 400);
    CHECK(rack.http("GET", "/v1/nothing").status == 404);
    CHECK(rack.command({"at", "m0", "AT+CSQ"}).ending == Ending{0, 0});
    rack.simulate({{"do", "unplug"}, {"modem", 1}});
    rack.simulate({{"do", "replug"}, {"modem", 1}});
}

void configure_anew(const Rack& rack) {
    std::ofstream(rack.config_file(), std::ios::app) << "quota = { per_day = 1000 }\n";
    const Finished reloaded = rack.command({"reload"});
    CAPTURE(reloaded.output);
    CHECK(reloaded.ending == Ending{0, 0});
}

}  // namespace

TEST_CASE(
    "the service under sanitizers: from its start to its stop nothing is wrong, and nothing is "
    "left behind") {
    REQUIRE_MESSAGE(std::filesystem::exists(service),
                    "not built: tools/build --preset check smsrackd");
    const Finished help =
        run({.words = {"/usr/bin/env", "ASAN_OPTIONS=help=1", service, "--version"}});
    REQUIRE_MESSAGE(help.output.contains("AddressSanitizer"), "built without ASan");
    Rack rack({.modems = 3, .service = service});
    work(rack);
    configure_anew(rack);
    const auto last = rack.submit({{"to", "+33600000200"}, {"text", "last"}});
    CHECK(rack.reaches(last, "delivered"));
    const Ending ending = rack.stop_service();
    const std::string log = rack.service_log();
    CHECK(ending == Ending{0, 0});
    for (const char* const words : {"AddressSanitizer", "LeakSanitizer", "runtime error:"}) {
        CAPTURE(words);
        const std::size_t at = log.find(words);
        CHECK_MESSAGE(at == std::string::npos, log.substr(std::min(at, log.size()), 3000));
    }
}

}  // namespace smsrack::test
