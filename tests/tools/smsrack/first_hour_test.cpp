// Commands of the first hour: preview, dry runs, export, help, names for the completion.
#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>

using namespace smsrack;
using namespace smsrack::test;

namespace {

std::string preview_answer(const std::string& why, bool refused) {
    return answer_json(
        "200 OK",
        fmt::format(
            R"({{"to":"+33612345678","encoding":"gsm7","segments":2,"units":170,"units_per_segment":153,)"
            R"("group":"default","why_group":"the default group","priority":3,)"
            R"("expires_at":"2026-11-22T02:31:21.123Z","why":{0},"why_not_now":{1},"refused":{2}}})",
            why.empty() ? "null" : "\"" + why + "\"", why.empty() ? "null" : "\"because\"",
            refused));
}

FakeService::Answer preview_of(const std::string& why, bool refused) {
    return [answer = preview_answer(why, refused)](const FakeRequest&) { return answer; };
}

}  // namespace

TEST_CASE("smsrack preview: what would happen, with the exit code that sending would have") {
    struct Case {
        const char* why;
        bool refused;
        int exit;
        const char* words;
    };
    for (const Case& one : {Case{"", false, 0, "would be sent as soon as it is its turn"},
                            Case{"quiet_hours", false, 0, "would wait: because"},
                            Case{"opt_out", true, 1, "would be refused: because"},
                            Case{"overloaded", true, 75, "would be refused: because"}}) {
        CAPTURE(one.why);
        const FakeService service(preview_of(one.why, one.refused));
        const ProgramRun run =
            run_smsrack("preview --to +33612345678 --priority 5 'a text'", service.path());
        CHECK(run.code == one.exit);
        CHECK(run.out.contains(one.words));
        CHECK(run.out.contains("2 (170 units; 153 fit in one)"));
        CHECK(run.err.empty() == (one.exit == 0));
        REQUIRE(service.requests().size() == 1);
        CHECK(service.requests()[0].line == "POST /v1/preview");
        CHECK(service.requests()[0].body ==
              R"({"priority":5,"text":"a text","to":"+33612345678"})");
    }
}

TEST_CASE("smsrack send --dry-run sends nothing, and says the same as preview") {
    const FakeService service(preview_of("", false));
    const ProgramRun run = run_smsrack("send --dry-run --to +33612345678 hello", service.path());
    CHECK(run.code == 0);
    CHECK(run.out == run_smsrack("preview --to +33612345678 hello", service.path()).out);
    for (const FakeRequest& request : service.requests()) {
        CHECK(request.line == "POST /v1/preview");
    }
    CHECK(run_smsrack("send --dry-run --wait --to +331 x", service.path()).code == 64);
}

TEST_CASE("smsrack send --file --dry-run: every line is checked, and named where it is bad") {
    const FakeService service([](const FakeRequest& request) {
        return request.body.contains("+33612345679")
                   ? answer_json("400 Bad Request",
                                 R"({"title":"no","detail":"not a number","code":"bad_number"})")
                   : preview_answer("", false);
    });
    const std::string csv = "to,text\n+33612345678,a\n+33612345679,b\n+33612345670,\"c\"d\n";
    const ProgramRun run = run_smsrack("send --dry-run --file -", service.path(), csv);
    CHECK(run.code == 65);
    CHECK(
        run.out ==
        "3 messages: 1 would be accepted (2 segments), 0 of them would wait; 2 would be refused\n");
    CHECK(run.err.contains("standard input:3: not a number (bad_number)\n"));
    CHECK(run.err.contains("standard input:4: "));
    CHECK(run.err.contains("nothing was sent; 2 of 3 messages would be refused"));
    for (const FakeRequest& request : service.requests()) {
        CHECK(request.line == "POST /v1/preview");
    }
}

TEST_CASE("smsrack export: page after page, a row for each segment, safe for a spreadsheet") {
    const FakeService service([](const FakeRequest& request) {
        const bool second = request.line.contains("cursor=41");
        return answer_json(
            "200 OK",
            fmt::format(
                R"({{"messages":[{{"id":"{}","to":"+33612345678","state":"sent","segments":2,"text":"=1+1, é"}}],"next":{}}})",
                second ? 40 : 41, second ? "null" : "\"41\""));
    });
    const ProgramRun run =
        run_smsrack("export --since 2026-11-01T00:00:00Z --text", service.path());
    CHECK(run.code == 0);
    CHECK(run.out.starts_with("\xEF\xBB\xBFid,segment,segments,to,state,"));
    CHECK(std::ranges::count(run.out, '\n') == 5);
    CHECK(run.out.contains("\r\n41,1,2,\"'+33612345678\",sent,"));
    CHECK(run.out.contains("\r\n40,2,2,"));
    CHECK(run.out.ends_with(",\"'=1+1, é\"\r\n"));
    REQUIRE(service.requests().size() == 2);
    CHECK(service.requests()[0].line ==
          "GET /v1/messages?details=true&since=2026-11-01T00%3A00%3A00Z&limit=1000");

    const ProgramRun raw = run_smsrack("export --since 2026-11-01T00:00:00Z --raw", service.path());
    CHECK(raw.out.starts_with("id,segment,"));
    CHECK(raw.out.contains("\r\n41,1,2,+33612345678,sent,"));
    CHECK_FALSE(raw.out.contains("1+1"));

    const ProgramRun objects =
        run_smsrack("export --since 2026-11-01T00:00:00Z --json", service.path());
    CHECK(std::ranges::count(objects.out, '\n') == 4);
    CHECK(objects.out.contains(R"("segment":2,)"));
    CHECK(objects.out ==
          run_smsrack("export --since 2026-11-01T00:00:00Z --format ndjson", service.path()).out);
}

TEST_CASE("smsrack export: one that breaks off says that it is not whole") {
    const FakeService service([](const FakeRequest& request) {
        return request.line.contains("cursor=")
                   ? answer_json("507 Insufficient Storage",
                                 R"({"title":"no","detail":"the disk","code":"storage"})")
                   : answer_json(
                         "200 OK",
                         R"({"messages":[{"id":"41","to":"+331","state":"sent","segments":1}],"next":"41"})");
    });
    const ProgramRun run = run_smsrack("export --since 2026-11-01T00:00:00Z", service.path());
    CHECK(run.code == 1);
    CHECK(run.err.contains("the export is incomplete, it ends after 1 message"));
    CHECK(run_smsrack("export", service.path()).code == 64);
}

TEST_CASE("smsrack help: the same as --help, and a word that is none has its meaning guessed") {
    CHECK(run_smsrack("help").out == run_smsrack("--help").out);
    CHECK(run_smsrack("help modem drain").out == run_smsrack("modem drain --help").out);
    CHECK(run_smsrack("help send").out.contains("smsrack send --file customers.csv"));
    const ProgramRun wrong = run_smsrack("help mesages");
    CHECK(wrong.code == 64);
    CHECK(wrong.err.contains("did you mean \"messages\"?"));
}

TEST_CASE("smsrack names: what the service knows, a line each, and nothing where it is away") {
    const FakeService service([](const FakeRequest& request) {
        return answer_json(
            "200 OK",
            request.line.contains("batches")
                ? R"({"batches":[{"batch":"spring:1"},{"batch":"autumn"}],"next":null})"
                : R"({"modems":[{"name":"m1","group":"default"},{"name":"m0","group":"default"}]})");
    });
    CHECK(run_smsrack("names modem", service.path()).out == "m0\nm1\n");
    CHECK(run_smsrack("names group", service.path()).out == "default\n");
    CHECK(run_smsrack("names batch", service.path()).out == "autumn\nspring:1\n");
    const ProgramRun away = run_smsrack("names modem", "/nowhere.sock");
    CHECK(away.out.empty());
    CHECK(away.err.empty());
    CHECK_FALSE(run_smsrack("--help").out.contains("names"));
}

namespace {

/// What bash would offer behind `words`, the last of which is not ended.
std::string offered(const std::string& words, const std::string& socket) {
    const std::string program(SMSRACK_RUN);
    const std::string script =
        "source <(" + program + " completion bash); smsrack() { " + program +
        " \"$@\"; }; export SMSRACK_SOCKET='" + socket + "'; COMP_WORDS=(" + words +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _smsrack; printf '%s ' \"${COMPREPLY[@]}\"";
    return run({.words = {"/bin/bash", "-c", script}}).output;
}

}  // namespace

TEST_CASE("completion: bash offers commands, options, and the names that the service has") {
    const FakeService service([](const FakeRequest& request) {
        return answer_json(
            "200 OK",
            request.line.contains("batches")
                ? R"json({"batches":[{"batch":"spring:1"},{"batch":"spring:2"},{"batch":"$(touch evil)"}],"next":null})json"
                : R"({"modems":[{"name":"m1","group":"default"},{"name":"m0","group":"other"}]})");
    });
    struct Case {
        const char* words;
        const char* offers;
    };
    for (const Case& one : {
             Case{"smsrack mod", "modems modem model "},
             Case{"smsrack modem drain ''", "--help --no-wait m0 m1 "},
             Case{"smsrack modem drain m1", "m1 "},
             Case{"smsrack at m", "m0 m1 "},
             Case{"smsrack send --group d", "default "},
             Case{"smsrack history --modem m", "m0 m1 "},
             Case{"smsrack history --step 1", "1m 1h 1d "},
             Case{"smsrack messages --batch sp", "spring:1 spring:2 "},
             Case{"smsrack messages --batch spring : ''", "1 2 "},
             Case{"smsrack messages --batch '$'", "$(touch evil) "},
             Case{"smsrack messages --state que", "queued "},
             Case{"smsrack --socket /nowhere.sock modem drain m", ""},
         }) {
        CAPTURE(one.words);
        std::string found = offered(one.words, service.path());
        found.erase(0, found.find_first_not_of(' '));
        CHECK(found == one.offers);
    }
}
