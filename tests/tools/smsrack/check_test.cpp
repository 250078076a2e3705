// `smsrack check` and `smsrack attention` before a service that gives prepared answers.
#include "src/wire/json.hpp"
#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

using namespace smsrack;
using namespace smsrack::test;

namespace {

/// As the service writes one.
std::string condition_json(std::string_view severity, std::string_view text) {
    return R"({"condition":"modem_sim","severity":")" + std::string(severity) +
           R"(","subject":"modem m1","stops":"modem","since":"2026-11-21T12:00:00.000Z","text":")" +
           std::string(text) + R"(","advice":"insert it"})";
}

/// Three messages wait, the oldest for 90 s; two of three modems take work; of the last hour's four messages three have ended, one badly.
FakeService::Answer rack_with(std::string conditions) {
    return [conditions = std::move(conditions)](const FakeRequest& request) {
        if (request.line == "GET /v1/status") {
            return answer_json("200 OK",
                               R"({"levels":[{"level":0,"depth":1},{"level":1,"depth":2}],)"
                               R"("oldest_waiting_s":90.4,"conditions":[)" +
                                   conditions + "]}");
        }
        if (request.line == "GET /v1/modems") {
            return answer_json(
                "200 OK",
                R"({"modems":[{"name":"m0","link":"active","manual":"open"},)"
                R"({"name":"m1","link":"active","manual":"open","paused":null},)"
                R"({"name":"m2","link":"active","manual":"open","paused":{"reason":"quota"}}]})");
        }
        return answer_json("200 OK", R"({"messages":[{"state":"failed"},{"state":"sent"},)"
                                     R"({"state":"delivered"},{"state":"queued"}],"next":null})");
    };
}

struct Row {
    const char* words;
    int code;
    const char* line;
};

}  // namespace

TEST_CASE("smsrack check: one line, performance data, and an exit status by the limits") {
    const FakeService service(rack_with(""));
    for (const Row& row : {
             Row{"", 0,
                 "SMSRACK OK - 2 of 3 modems take work, 3 wait | waiting=3;;;0 oldest=90s;;;0 "
                 "modems=2;;;0\n"},
             Row{"--waiting 3 --oldest 91 --modems 2", 0,
                 "SMSRACK OK - 2 of 3 modems take work, 3 wait | waiting=3;;3;0 oldest=90s;;91;0 "
                 "modems=2;;2:;0\n"},
             Row{"--waiting 2", 2,
                 "SMSRACK CRITICAL - 2 of 3 modems take work, 3 wait; waiting is 3, more than 2 | "
                 "waiting=3;;2;0 oldest=90s;;;0 modems=2;;;0\n"},
             Row{"--waiting 2,10", 1,
                 "SMSRACK WARNING - 2 of 3 modems take work, 3 wait; waiting is 3, more than 2 | "
                 "waiting=3;2;10;0 oldest=90s;;;0 modems=2;;;0\n"},
             Row{"--oldest 60 --modems 3", 2,
                 "SMSRACK CRITICAL - 2 of 3 modems take work, 3 wait; oldest is 90s, more than 60 "
                 "(and 1 more) | waiting=3;;;0 oldest=90s;;60;0 modems=2;;3:;0\n"},
             Row{"--modems 3,1", 1,
                 "SMSRACK WARNING - 2 of 3 modems take work, 3 wait; modems is 2, fewer than 3 | "
                 "waiting=3;;;0 oldest=90s;;;0 modems=2;3:;1:;0\n"},
             Row{"--failed-percent 33", 2,
                 "SMSRACK CRITICAL - 2 of 3 modems take work, 3 wait; failed_percent is 33.3%, "
                 "more than 33 | waiting=3;;;0 oldest=90s;;;0 modems=2;;;0 "
                 "failed_percent=33.3%;;33;0\n"},
             Row{"--failed-percent 34", 0,
                 "SMSRACK OK - 2 of 3 modems take work, 3 wait | waiting=3;;;0 oldest=90s;;;0 "
                 "modems=2;;;0 failed_percent=33.3%;;34;0\n"},
         }) {
        CAPTURE(row.words);
        const ProgramRun run = run_smsrack(std::string("check ") + row.words, service.path());
        CHECK(run.code == row.code);
        CHECK(run.out == row.line);
        CHECK(run.err.empty());
    }
}

TEST_CASE("smsrack check: what the service says is wrong is wrong without any limit") {
    const FakeService warned(rack_with(condition_json("warning", "no SIM | none in it")));
    const ProgramRun warning = run_smsrack("check", warned.path());
    CHECK(warning.code == 1);
    // A bar would begin the performance data.
    CHECK(
        warning.out.starts_with("SMSRACK WARNING - 2 of 3 modems take work, 3 wait; no SIM / none "
                                "in it | waiting="));
    const FakeService down(rack_with(condition_json("critical", "no modem can send") + "," +
                                     condition_json("warning", "no SIM")));
    const ProgramRun critical = run_smsrack("check --waiting 1000", down.path());
    CHECK(critical.code == 2);
    CHECK(critical.out.contains("; no modem can send (and 1 more) |"));
}

TEST_CASE("smsrack check --json: the same as values") {
    const FakeService service(rack_with(condition_json("warning", "no SIM")));
    const ProgramRun run = run_smsrack("check --json --failed-percent 5", service.path());
    CHECK(run.code == 2);
    const auto json = wire::parse_json(run.out);
    REQUIRE(json);
    CHECK(json->at("state") == "CRITICAL");
    CHECK(json->at("figures").at("waiting") == 3);
    CHECK(json->at("figures").at("modems") == 2);
    CHECK(json->at("conditions").at(0).at("advice") == "insert it");
}

TEST_CASE("smsrack check: a service that is away is critical; what can't be asked is unknown") {
    const ProgramRun away = run_smsrack("check", "/nowhere.sock");
    CHECK(away.code == 2);
    CHECK(away.out.starts_with("SMSRACK CRITICAL - "));
    CHECK(std::ranges::count(away.out, '\n') == 1);
    const FakeService closed([](const FakeRequest&) {
        return answer_json("403 Forbidden", R"({"code":"forbidden","detail":"join smsrack-read"})");
    });
    const ProgramRun refused = run_smsrack("check", closed.path());
    CHECK(refused.code == 3);
    CHECK(refused.out.starts_with("SMSRACK UNKNOWN - join smsrack-read"));
    for (const char* wrong : {"check --waiting many", "check --waiting 1,", "check --oldest -1",
                              "check --modems 1,2,3", "check --colour red"}) {
        CAPTURE(wrong);
        const ProgramRun run = run_smsrack(wrong, "/nowhere.sock");
        CHECK(run.code == 3);
        CHECK_FALSE(run.err.empty());
    }
}

TEST_CASE("smsrack attention: the worst first, and what to do") {
    const FakeService service([](const FakeRequest& request) {
        CHECK(request.line == "GET /v1/attention?limit=1");
        return answer_json(
            "200 OK", R"({"attention":[{"code":"disk_full","severity":"critical","stops":"all",)"
                      R"("object":{"kind":"disk","name":null},"cause":"the disk is full",)"
                      R"("since":"2026-11-21T12:00:00.000Z","advice":"make room"}],"total":3})");
    });
    const ProgramRun run = run_smsrack("attention --limit 1", service.path());
    CHECK(run.code == 0);
    CHECK(run.out.contains("critical"));
    CHECK(run.out.contains("2026-11-21 12:00:00"));
    CHECK(run.out.contains("disk_full: the disk is full -> make room"));
    CHECK(run.out.contains("1 of 3; --limit shows more"));
    const FakeService well(
        [](const FakeRequest&) { return answer_json("200 OK", R"({"attention":[],"total":0})"); });
    CHECK(run_smsrack("attention", well.path()).out == "Nothing needs attention.\n");
    CHECK(run_smsrack("attention --json", well.path()).out == "{\"attention\":[],\"total\":0}\n");
}
