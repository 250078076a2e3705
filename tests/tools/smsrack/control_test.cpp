#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>

using namespace smsrack::test;

namespace {

FakeService::Answer always(std::string answer) {
    return [answer = std::move(answer)](const FakeRequest&) { return answer; };
}

std::string batch_json(int queued, int cancelled, bool cancelling) {
    return R"({"batch":"B","created_at":"2026-11-21T12:00:00.000Z","total":10,"messages":{"queued":)" +
           std::to_string(queued) + R"(,"sent":1,"cancelled":)" + std::to_string(cancelled) +
           R"(},"paused_since":null,"cancelled_at":"2026-11-21T12:01:00.000Z","cancelling":)" +
           (cancelling ? "true}" : "false}");
}

}  // namespace

TEST_CASE("smsrack pause and resume: what is asked for, and what is said") {
    struct Case {
        const char* words;
        const char* answer;
        const char* line;
        const char* body;
        const char* said;
    };
    for (const Case& one : {
             Case{"pause", R"({"scope":"rack","name":null,"paused":true,"changed":true})",
                  "POST /v1/pause", "{}",
                  "the rack is paused: messages in flight are finished, no other is started\n"},
             Case{"pause --group g",
                  R"({"scope":"group","name":"g","paused":true,"changed":false})", "POST /v1/pause",
                  R"({"group":"g"})", "group g was paused already\n"},
             Case{"pause --batch b --create",
                  R"({"scope":"batch","name":"b","paused":true,"changed":true})", "POST /v1/pause",
                  R"({"batch":"b","create":true})",
                  "batch b is paused: messages in flight are finished, no other is started\n"},
             Case{"resume --batch b",
                  R"({"scope":"batch","name":"b","paused":false,"changed":true})",
                  "POST /v1/resume", R"({"batch":"b"})", "batch b is resumed\n"},
             Case{"resume", R"({"scope":"rack","name":null,"paused":false,"changed":false})",
                  "POST /v1/resume", "{}", "the rack was not paused\n"},
         }) {
        CAPTURE(one.words);
        const FakeService service(always(answer_json("200 OK", one.answer)));
        const ProgramRun run = run_smsrack(one.words, service.path());
        CHECK(run.code == 0);
        CHECK(run.out == one.said);
        REQUIRE(service.requests().size() == 1);
        CHECK(service.requests()[0].line == one.line);
        CHECK(service.requests()[0].body == one.body);
        CHECK(
            run_smsrack(std::string(one.words) + " --json", service.path()).out.contains("scope"));
    }
    CHECK(run_smsrack("pause --group g --batch b").code == 64);
    CHECK(run_smsrack("pause --create").code == 64);
}

TEST_CASE("smsrack audit: a line for each call, and JSON for programs") {
    const FakeService service(always(answer_json(
        "200 OK",
        R"({"audit":[{"id":"2","at":"2026-11-21T12:00:00.000Z","caller":"uid 1004","call":"POST /v1/modems/m0/drain","status":202},)"
        R"({"id":"1","at":"2026-11-21T11:00:00.000Z","caller":"root","call":"POST /v1/pause","status":200}],"next":null})")));
    const ProgramRun run =
        run_smsrack("audit --since 2026-11-21T00:00:00Z --limit 7", service.path());
    CHECK(run.code == 0);
    CHECK(run.out ==
          "TIME (UTC)           CALLER    STATUS  CALL\n"
          "2026-11-21 12:00:00  uid 1004     202  POST /v1/modems/m0/drain\n"
          "2026-11-21 11:00:00  root         200  POST /v1/pause\n");
    CHECK(service.requests()[0].line == "GET /v1/audit?since=2026-11-21T00%3A00%3A00Z&limit=7");
    CHECK(run_smsrack("audit --json", service.path()).out.contains(R"("caller":"root")"));
}

TEST_CASE("smsrack batches: a line each, with what waits and what became of the rest") {
    const FakeService service(always(
        answer_json("200 OK", R"({"batches":[)" + batch_json(3, 6, false) + R"(],"next":null})")));
    const ProgramRun run = run_smsrack("batches", service.path());
    CHECK(run.code == 0);
    CHECK(run.out.contains("CANCELLED"));
    CHECK(run.out.contains("cancelled"));
    CHECK(run.out.contains("2026-11-21 12:00:00"));
    const FakeService none(always(answer_json("200 OK", R"({"batches":[],"next":null})")));
    CHECK(run_smsrack("batches", none.path()).out == "No batches.\n");
}

TEST_CASE("smsrack batch cancel: waits until no row is left to look at, and says what it came to") {
    std::atomic<int> asked = 0;
    const FakeService service([&](const FakeRequest& request) {
        if (request.line == "DELETE /v1/batches/B") {
            return answer_json("202 Accepted", batch_json(9, 0, true));
        }
        CHECK(request.line == "GET /v1/batches/B");
        return answer_json("200 OK",
                           ++asked < 3 ? batch_json(5, 4, true) : batch_json(0, 9, false));
    });
    const ProgramRun run = run_smsrack("batch cancel B", service.path());
    CHECK(run.code == 0);
    CHECK(run.out == "B: 9 of 10 cancelled; 1 had been sent or were in flight\n");
    CHECK(asked == 3);
}

TEST_CASE("smsrack batch cancel: an unknown label is said") {
    const FakeService service(always(answer_json(
        "404 Not Found",
        R"({"title":"Not found","detail":"no message has the batch B","code":"not_found"})")));
    const ProgramRun run = run_smsrack("batch cancel B", service.path());
    CHECK(run.code == 1);
    CHECK(run.err == "smsrack: batch B: no message has the batch B (not_found)\n");
}

TEST_CASE("smsrack optout: list, add and remove") {
    const FakeService list(always(answer_json(
        "200 OK",
        R"({"optouts":[{"number":"+33612345678","since":"2026-11-21T12:00:00.000Z","inbox":"7"}],"next":null})")));
    const ProgramRun shown = run_smsrack("optout list", list.path());
    CHECK(shown.out.contains("+33612345678  2026-11-21 12:00:00  received message 7"));
    const FakeService add(always(
        answer_json("200 OK", R"({"number":"+33612345678","opted_out":true,"changed":true})")));
    CHECK(run_smsrack("optout add 0612345678", add.path()).out ==
          "+33612345678 receives nothing more\n");
    CHECK(add.requests()[0].body == R"({"number":"0612345678"})");
    const FakeService remove(always(
        answer_json("200 OK", R"({"number":"+33612345678","opted_out":false,"changed":false})")));
    CHECK(run_smsrack("optout remove +33612345678", remove.path()).out ==
          "+33612345678 was not on the list\n");
    CHECK(remove.requests()[0].line == "DELETE /v1/optouts/%2B33612345678");
}

TEST_CASE("smsrack send and messages: --batch is the label; a rule's refusal is exit code 77") {
    const FakeService service(
        always(answer_json("202 Accepted", R"({"id":"42","state":"queued","segments":1})")));
    CHECK(run_smsrack("send --to +33612345678 --batch B hello", service.path()).code == 0);
    CHECK(service.requests()[0].body.contains(R"("batch":"B")"));
    const FakeService list(always(answer_json("200 OK", R"({"messages":[],"next":null})")));
    CHECK(run_smsrack("messages --batch B", list.path()).code == 0);
    CHECK(list.requests()[0].line.starts_with("GET /v1/messages?batch=B&"));
    const FakeService refuses(always(
        answer_json("403 Forbidden",
                    R"({"title":"Not allowed","detail":"rule premium: no","code":"forbidden"})")));
    const ProgramRun refused = run_smsrack("send --to +33899123456 hello", refuses.path());
    CHECK(refused.code == 77);
    CHECK(refused.err.contains("rule premium: no"));
}

TEST_CASE("smsrack send --file: a column batch, and --batch for lines that have none") {
    const FakeService service([](const FakeRequest&) {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 86\r\n\r\n"
               R"({"id":"1","state":"queued","segments":1})"
               "\n"
               R"({"id":"2","state":"queued","segments":1})"
               "\n    ";
    });
    (void)run_smsrack("send --file - --batch B", service.path(),
                      "to,text,batch\n+33612345678,a,A\n+33612345678,b,\n");
    REQUIRE(service.requests().size() == 1);
    const std::string body = service.requests()[0].body;
    CHECK(body.contains(R"("batch":"A")"));
    CHECK(body.contains(R"("batch":"B")"));
}

TEST_CASE("smsrack status: what is paused") {
    const FakeService service(always(answer_json(
        "200 OK",
        R"({"version":"1","ready":true,"conditions":[{"condition":"rack_paused","since":"2026-11-21T12:00:00.000Z","text":"the rack is paused","advice":"`smsrack resume`"}],"pauses":[{"scope":"rack","name":null,"since":"2026-11-21T12:00:00.000Z"},{"scope":"batch","name":"b","since":"2026-11-21T12:00:00.000Z"}]})")));
    const ProgramRun run = run_smsrack("status", service.path());
    CHECK(run.out.contains(
        "rack_paused: the rack is paused (since 2026-11-21 12:00:00) -> `smsrack resume`\n"));
    CHECK(run.out.contains("paused: batch b, since"));
    CHECK_FALSE(run.out.contains("\npaused: the rack"));
}
