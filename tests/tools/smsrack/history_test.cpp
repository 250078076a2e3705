// `smsrack history`: what it asks for, and its table.
#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace smsrack::test;

namespace {

std::string history(const FakeRequest& request) {
    const std::string head =
        R"({"from":"2026-01-10T10:00:00.000Z","to":"2026-01-10T13:00:00.000Z","step":"1h",)"
        R"("all":{"sent":[400,0,1],"failed":[3,0,0],"received":[20,0,7],"waiting":[12345,null,0]},)";
    return answer_json("200 OK",
                       head + (request.line.contains("modem=m1")
                                   ? R"("modems":[{"name":"m1","sent":[40,0,20],"failed":[1,0,0],)"
                                     R"("received":[2,0,0],"signal_dbm":[-71,null,-113]}]})"
                                   : R"("modems":[]})"));
}

}  // namespace

TEST_CASE("smsrack history: a row for each step, a bar of what was sent, and the sums") {
    const FakeService service(history);
    const ProgramRun run = run_smsrack("history", service.path());
    CHECK(run.code == 0);
    CHECK(run.out ==
          "FROM (UTC)           SENT  FAILED  RECEIVED  WAITING  SENT, AS A BAR\n"
          "2026-01-10 10:00:00   400       3        20    12345  ####################\n"
          "2026-01-10 11:00:00     0       0         0        -  .\n"
          "2026-01-10 12:00:00     1       0         7        0  #\n"
          "\n"
          "In all: 401 sent, 3 failed, 27 received.\n");
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) {
        CHECK(line.size() <= 80);
    }
    CHECK(service.requests().at(0).line.contains("step=1h"));
}

TEST_CASE("smsrack history --modem: its own counts, and its signal") {
    const FakeService service(history);
    const ProgramRun run = run_smsrack(
        "history --since 2026-01-10T10:00:00+01:00 --step 5m --modem m1", service.path());
    CHECK(run.code == 0);
    CHECK(run.out.contains("2026-01-10 10:00:00    40       1         2     -71  ####"));
    CHECK(run.out.contains("2026-01-10 12:00:00    20       0         0    -113  ##########\n"));
    CHECK(run.out.contains("In all: 60 sent, 1 failed, 2 received."));
    const std::string asked = service.requests().at(0).line;
    CHECK(asked.contains("from=2026-01-10T10%3A00%3A00%2B01%3A00"));
    CHECK(asked.contains("step=5m"));
    CHECK(asked.contains("modem=m1"));
}

TEST_CASE("smsrack history --json: as the service says it; a step that is none is wrong usage") {
    const FakeService service(history);
    CHECK(
        run_smsrack("history --json", service.path()).out.contains(R"("waiting":[12345,null,0])"));
    CHECK(run_smsrack("history --step 2h", service.path()).code == 64);
}

TEST_CASE("smsrack history: what is too much is said with the step that fits") {
    const FakeService service([](const FakeRequest&) {
        return answer_json("400 Bad Request",
                           R"({"title":"no","detail":"step: too many; step=1h fits",)"
                           R"("code":"bad_request","status":400})");
    });
    const ProgramRun run = run_smsrack("history --step 1m", service.path());
    CHECK(run.code != 0);
    CHECK(run.err.contains("step=1h fits"));
}
