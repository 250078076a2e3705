// `smsrack client show` and `smsrack smpp list|sessions`: what they print of refusals.
#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack::test;

namespace {

std::string client_with(const std::string& refusals) {
    return R"({"name":"shop","link":"active","manual":"open","waiting":1,"buffered":2,"lost":0,)"
           R"("seen_at":"2026-11-28T01:00:00.000Z","refusals":[)" +
           refusals + "]}";
}

std::string smpp(const FakeRequest&) {
    return answer_json(
        "200 OK",
        R"({"accounts":[{"name":"shop","bound":2,"sessions_max":4,"refused_by_rules":17,"sessions":[)"
        R"({"since":"2026-11-28T01:00:00.000Z","address":"192.0.2.1","bind":"trx",)"
        R"("last_refusal":"ESME_RSUBMITFAIL","last_refusal_at":"2026-11-28T01:02:03.000Z"},)"
        R"({"since":"2026-11-28T01:00:00.000Z","address":"192.0.2.2","bind":"tx",)"
        R"("last_refusal":null,"last_refusal_at":null}]}]})");
}

}  // namespace

TEST_CASE("smsrack client show: what each rule refused, by day; nothing where none has") {
    const FakeService service([](const FakeRequest&) {
        return answer_json("200 OK",
                           client_with(R"({"day":"2026-11-28","rule":"premium","count":1200,)"
                                       R"("first_at":"2026-11-28T00:10:00.000Z",)"
                                       R"("last_at":"2026-11-28T00:50:00.000Z"})"));
    });
    const ProgramRun run = run_smsrack("client show shop", service.path());
    CHECK(run.code == 0);
    CHECK(run.out.contains(
        "DAY (UTC)   REFUSED BY RULE  MESSAGES  FIRST (UTC)          LAST (UTC)\n"
        "2026-11-28  premium              1200  2026-11-28 00:10:00  2026-11-28 00:50:00\n"));
    const FakeService calm(
        [](const FakeRequest&) { return answer_json("200 OK", client_with("")); });
    CHECK_FALSE(run_smsrack("client show shop", calm.path()).out.contains("RULE"));
}

TEST_CASE("smsrack smpp sessions: the last refusal of a session, and when it was") {
    const FakeService service(smpp);
    const ProgramRun run = run_smsrack("smpp sessions", service.path());
    CHECK(run.out.contains("LAST REFUSAL      AT (UTC)\n"));
    CHECK(run.out.contains("ESME_RSUBMITFAIL  2026-11-28 01:02:03\n"));
    CHECK(run_smsrack("smpp sessions --local", service.path()).out.contains("AT (LOCAL)"));
}

TEST_CASE("smsrack smpp list: how many messages of an account rules have refused") {
    const FakeService service(smpp);
    const ProgramRun run = run_smsrack("smpp list", service.path());
    CHECK(run.out.contains("BY RULES"));
    CHECK(run.out.contains(" 17 "));
}
