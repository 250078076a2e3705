#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/program_run.hpp"
#include "tools/smsrack/messages/send_command.hpp"
#include "tools/smsrack/rack/service.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>

using namespace smsrack;
using namespace smsrack::test;

namespace {

std::string problem(std::string_view status, std::string_view code, std::string_view head = "") {
    return answer_json(
        status,
        R"({"type":"about:blank","title":"no","status":1,"detail":"because","code":")" +
            std::string(code) + "\"}",
        head);
}

/// Answers everything with one answer.
FakeService::Answer always(std::string answer) {
    return [answer = std::move(answer)](const FakeRequest&) { return answer; };
}

}  // namespace

TEST_CASE("smsrack: each refusal of the service has its exit code and one line") {
    struct Case {
        const char* status;
        const char* code;
        int exit;
    };
    for (const Case& one :
         {Case{"400 Bad Request", "bad_number", 65}, Case{"413 Too Large", "payload_too_large", 65},
          Case{"503 Unavailable", "overloaded", 75}, Case{"503 Unavailable", "queue_full", 75},
          Case{"403 Forbidden", "forbidden", 77}, Case{"401 Unauthorized", "unauthorized", 77},
          Case{"409 Conflict", "ref_conflict", 1},
          Case{"507 Insufficient Storage", "storage", 1}}) {
        CAPTURE(one.code);
        const FakeService service(always(problem(one.status, one.code, "Retry-After: 7\r\n")));
        const ProgramRun run = run_smsrack("send --to +33612345678 hello", service.path());
        CHECK(run.code == one.exit);
        CHECK(run.out.empty());
        CHECK(run.err == "smsrack: because (" + std::string(one.code) + "); try again in 7 s\n");
    }
}

TEST_CASE("smsrack: what is not there is said plainly") {
    const FakeService service(always(answer_json(
        "404 Not Found",
        R"({"title":"Not found","detail":"no message has this id","code":"not_found"})")));
    const ProgramRun run = run_smsrack("show 99", service.path());
    CHECK(run.code == 1);
    CHECK(run.err == "smsrack: message 99: no message has this id (not_found)\n");
}

TEST_CASE("smsrack: without a service it says which socket, and exits with 69") {
    const ProgramRun run = run_smsrack("status", "/nowhere.sock");
    CHECK(run.code == 69);
    CHECK(run.err.contains("/nowhere.sock"));
    CHECK(run.err.contains("is smsrackd running?"));
}

TEST_CASE("smsrack: what does not speak HTTP is no service") {
    const FakeService service(always("SSH-2.0-OpenSSH\r\n"));
    const ProgramRun run = run_smsrack("status", service.path());
    CHECK(run.code == 1);
    CHECK(run.err.contains("not HTTP/1.1"));
}

TEST_CASE("smsrack send: the request is what was typed, standard input too") {
    const FakeService service(
        always(answer_json("202 Accepted", R"({"id":"42","state":"queued","segments":1})")));
    const ProgramRun run = run_smsrack("send --to +33612345678 --priority 5 --ref r1 --no-report -",
                                       service.path(), "h\xC3\xA9llo\n");
    CHECK(run.code == 0);
    CHECK(run.out == "42 queued, 1 segment\n");
    REQUIRE(service.requests().size() == 1);
    CHECK(service.requests()[0].line == "POST /v1/messages");
    CHECK(service.requests()[0].body ==
          "{\"priority\":5,\"ref\":\"r1\",\"report\":false,\"text\":\"h\xC3\xA9llo\",\"to\":\"+"
          "33612345678\"}");
    CHECK(run_smsrack("send --json --to +33612345678 x", service.path()).out ==
          "{\"id\":\"42\",\"segments\":1,\"state\":\"queued\"}\n");
    CHECK(run_smsrack("send --to +33612345678 -", service.path(), "\xC3\x28").code == 65);
}

TEST_CASE("smsrack send --wait: waits for an end, and the exit code says which") {
    struct Case {
        const char* state;
        int exit;
    };
    for (const Case& one :
         {Case{"sent", 0}, Case{"delivered", 0}, Case{"failed", 1}, Case{"undelivered", 1},
          Case{"expired", 1}, Case{"cancelled", 1}, Case{"uncertain", 75}}) {
        CAPTURE(one.state);
        std::atomic<int> asked = 0;
        const FakeService service([&](const FakeRequest& request) {
            if (request.line == "POST /v1/messages") {
                return answer_json("202 Accepted", R"({"id":"42","state":"queued","segments":1})");
            }
            const std::string state = ++asked < 3 ? "sending" : one.state;
            return answer_json("200 OK", R"({"id":"42","state":")" + state + R"(","modem":"m0"})");
        });
        const ProgramRun run = run_smsrack("send --wait --to +33612345678 hello", service.path());
        CHECK(run.code == one.exit);
        CHECK(run.out == "42 " + std::string(one.state) + " by m0\n");
        CHECK(run.err.empty() == (one.exit == 0));
        CHECK(asked == 3);
    }
}

TEST_CASE("smsrack send --wait: gives up at its limit, and the message continues") {
    const FakeService service([](const FakeRequest& request) {
        return request.line == "POST /v1/messages"
                   ? answer_json("202 Accepted", R"({"id":"42","state":"queued","segments":1})")
                   : answer_json("200 OK", R"({"id":"42","state":"queued"})");
    });
    const ProgramRun run =
        run_smsrack("send --wait --wait-max 1 --to +33612345678 hello", service.path());
    CHECK(run.code == 75);
    CHECK(run.err.contains("smsrack show 42"));
}

TEST_CASE("smsrack send --file: good lines are sent, bad ones are reported with their numbers") {
    const FakeService service([](const FakeRequest& request) {
        std::string lines;
        for (std::size_t at = 0; at < request.body.size();) {
            const auto end = request.body.find('\n', at);
            const std::string line = request.body.substr(at, end - at);
            at = end + 1;
            lines += line.contains("bad")
                         ? R"({"error":{"title":"no","detail":"not a number","code":"bad_number"}})"
                         : R"({"id":"1","state":"queued","segments":1})";
            lines += '\n';
        }
        return answer_json("200 OK", lines);
    });
    const ProgramRun run =
        run_smsrack("send --file -", service.path(), "to,text\n+331,a\nbad,b\n+332\n+333,c\n");
    CHECK(run.code == 65);
    CHECK(run.out == "4 messages: 2 accepted, 2 refused\n");
    CHECK(run.err.contains("standard input:3: not a number (bad_number)\n"));
    CHECK(run.err.contains("standard input:4: 1 values, but the header has 2 (bad_request)\n"));
    CHECK(run.err.contains("2 bad lines were not sent"));
    CHECK(service.requests()[0].body ==
          "{\"text\":\"a\",\"to\":\"+331\"}\n{\"text\":\"b\",\"to\":\"bad\"}\n{\"text\":\"c\","
          "\"to\":\"+333\"}\n");

    const ProgramRun json =
        run_smsrack("--json send --file -", service.path(), "to,text\n+331,a\nbad,b\n");
    CHECK(json.code == 65);
    CHECK(json.out ==
          "{\"accepted\":1,\"errors\":[{\"code\":\"bad_number\",\"detail\":\"not a "
          "number\",\"line\":3}],\"lines\":2,\"refused\":1,\"unanswered\":0}\n");
    const ProgramRun good =
        run_smsrack("send --file -", service.path(), "{\"to\":\"+331\",\"text\":\"a\"}\n");
    CHECK(good.code == 0);
    CHECK(good.out == "1 message: 1 accepted, 0 refused\n");
    CHECK(good.err.empty());
    CHECK(run_smsrack("send --file /nowhere", service.path()).code == 65);
}

TEST_CASE("smsrack messages: pages are put together") {
    const FakeService service([](const FakeRequest& request) {
        return request.line.contains("cursor=c1")
                   ? answer_json(
                         "200 OK",
                         R"({"messages":[{"id":"1","to":"+331","state":"sent","segments":2,"partial":true}],"next":null})")
                   : answer_json(
                         "200 OK",
                         R"({"messages":[{"id":"2","to":"+332","state":"queued","priority":3}],"next":"c1"})");
    });
    const ProgramRun run = run_smsrack("messages --state sent --to +331", service.path());
    CHECK(run.code == 0);
    CHECK(run.out ==
          "ID  TO    STATE           PRIO  SEG  MODEM  CODE  CREATED (UTC)  UPDATED (UTC)\n"
          " 2  +332  queued             3    -  -      -     -              -\n"
          " 1  +331  sent (partial)     -    2  -      -     -              -\n");
    CHECK(service.requests()[0].line == "GET /v1/messages?state=sent&to=%2B331&limit=100");
    CHECK(service.requests()[1].line == "GET /v1/messages?state=sent&to=%2B331&limit=99&cursor=c1");
    CHECK(run_smsrack("messages --state sent --limit 5", service.path()).code == 0);
    CHECK(service.requests()[2].line == "GET /v1/messages?state=sent&limit=5");
    const ProgramRun json = run_smsrack("messages --json", service.path());
    CHECK(json.out.contains("\"next\":null"));
    CHECK(json.out.find('\n') == json.out.size() - 1);
}

TEST_CASE("smsrack inbox: which of our numbers was answered, and which message") {
    const FakeService service(always(answer_json(
        "200 OK",
        R"({"messages":[{"id":"9","from":"+33612345678","to":"+33699999999","text":"yes","modem":"m0",)"
        R"("reply_to":"7","scts":null,"received_at":"2026-11-10T19:45:05.000Z","segments":1},)"
        R"({"id":"10","from":"+33612345678","to":null,"text":"again","modem":"m0","reply_to":null,)"
        R"("scts":null,"received_at":"2026-11-10T19:45:06.000Z","segments":1,"maybe_repeat":true}],"next":null})")));
    const std::string out = run_smsrack("inbox", service.path()).out;
    CHECK(out.contains("again [maybe a repeat]"));
    CHECK_FALSE(out.contains("yes ["));
    CHECK(out.contains("REPLY TO"));
    CHECK(out.contains("+33699999999"));
    CHECK(out.contains(" 7  yes"));
}

TEST_CASE("smsrack: an id of 64 bits keeps all its digits, there and back") {
    const std::string id = "9223372036854775807";
    const FakeService service(always(answer_json(
        "200 OK", R"({"id":")" + id + R"(","to":"+331","state":"elsewhere","text":"hello"})")));
    const ProgramRun run = run_smsrack("show " + id, service.path());
    CHECK(run.code == 0);
    CHECK(run.out.contains(id));
    CHECK(run.out.contains("elsewhere"));
    CHECK(service.requests().at(0).line.contains("/v1/messages/" + id));
}

TEST_CASE("smsrack: no text turns the line or hides on a terminal, and JSON says it exactly") {
    const std::string evil = "pay \u202E001\u200B\u2066\U000E0041\xC2\x9B[2J";
    const std::string row =
        R"({"id":"9","from":"+331","text":")" + evil + R"(","code":")" + evil + R"(","what":")" +
        evil + R"(","modem":"m0","state":"sent","received_at":"2026-11-10T19:45:05.000Z"})";
    const FakeService service([&](const FakeRequest& request) {
        if (request.line.contains("refused")) {
            return answer_json("400 Bad Request",
                               R"({"code":"bad_request","title":"no","detail":")" + evil + "\"}");
        }
        if (request.line.contains("/explain")) {
            return answer_json("200 OK", R"({"id":"9","state":"sent","next":")" + evil +
                                             R"(","steps":[)" + row + "]}");
        }
        if (request.line.contains("/at")) {
            return answer_json("200 OK", R"({"lines":[")" + evil + R"("],"final":"OK"})");
        }
        if (request.line.contains("/v1/messages/")) {
            return answer_json("200 OK", row);
        }
        return answer_json("200 OK", R"({"messages":[)" + row + R"(],"next":null})");
    });
    for (const char* command : {"inbox", "messages", "show 9", "explain 9", "show refused",
                                "at m0 ATI", "--json inbox", "--json show 9", "--json at m0 ATI"}) {
        CAPTURE(command);
        const auto done = run_smsrack(command, service.path());
        for (const char* raw : {"\u202E", "\u200B", "\u2066", "\U000E0041", "\xC2\x9B"}) {
            CHECK_FALSE(done.out.contains(raw));
            CHECK_FALSE(done.err.contains(raw));
        }
    }
    const auto json = wire::parse_json(run_smsrack("--json show 9", service.path()).out);
    REQUIRE(json);
    CHECK(json->at("text") == evil);
}

TEST_CASE("smsrack: empty lists say so in words") {
    const FakeService service(
        always(answer_json("200 OK", R"({"messages":[],"modems":[],"next":null})")));
    CHECK(run_smsrack("messages", service.path()).out == "No messages.\n");
    CHECK(run_smsrack("inbox", service.path()).out == "The inbox is empty.\n");
    CHECK(run_smsrack("modems", service.path()).out == "No modems are configured.\n");
}

TEST_CASE("smsrack messages and inbox: a search reads the next page if one found nothing") {
    const FakeService service([](const FakeRequest& request) {
        if (request.line.contains("/v1/inbox")) {
            return answer_json("200 OK", R"({"messages":[],"next":null})");
        }
        return answer_json("200 OK", request.line.contains("cursor=9")
                                         ? R"({"messages":[{"id":"4","to":"+331"}],"next":null})"
                                         : R"({"messages":[],"next":"9"})");
    });
    CHECK(run_smsrack("messages --number 0612 --text \"the lift\"", service.path())
              .out.contains("+331"));
    REQUIRE(service.requests().size() == 2);
    CHECK(service.requests()[0].line == "GET /v1/messages?q=0612&contains=the%20lift&limit=100");
    CHECK(run_smsrack("inbox --from bank --text no", service.path()).out ==
          "The inbox is empty.\n");
    CHECK(service.requests().back().line == "GET /v1/inbox?q=bank&contains=no&limit=100");
    CHECK(run_smsrack("inbox --follow --text no", service.path()).code == 64);
}

TEST_CASE("smsrack show, cancel, modems, status: what the service says is shown") {
    const FakeService service([](const FakeRequest& request) {
        if (request.line.starts_with("DELETE")) {
            return answer_json("200 OK", R"({"id":"42","state":"cancelled"})");
        }
        if (request.line.contains("/v1/messages/")) {
            return answer_json(
                "200 OK",
                R"({"id":"42","to":"+331","state":"sent","text":"a\u001bb",)"
                R"("history":[{"at":"2026-11-21T02:31:21.123Z","state":"queued"},{"at":"2026-11-21T02:31:22.123Z","state":"sent","modem":"m0"}]})");
        }
        if (request.line.contains("/v1/modems")) {
            return answer_json(
                "200 OK",
                R"({"modems":[{"name":"m0","port":"/dev/a","link":"pending","reason":"sim_pin","manual":"open","busy":false,"accepted":7,"failed":0,"signal_dbm":-71}]})");
        }
        return answer_json(
            "200 OK",
            R"({"version":"1","uptime_s":90061,"ready":true,"availability":{"accepting_s":90046,"storage_s":15},"messages":{"sent":5,"queued":1},"levels":[{"level":6,"depth":1,"t_recent_ms":1500,"sla_ms":60000}],"rate_in":1.25,"rate_out":0,"model":null})");
    });
    CHECK(run_smsrack("show 42", service.path()).out ==
          "id     42\nto     +331\nstate  sent\ntext   a\\x1Bb\n\nhistory\n"
          "AT                   STATE   MODEM\n"
          "2026-11-21 02:31:21  queued  -\n"
          "2026-11-21 02:31:22  sent    m0\n");
    CHECK(run_smsrack("cancel 42", service.path()).out == "42 cancelled\n");
    (void)run_smsrack("again 42", service.path());
    CHECK(service.requests().back().line == "POST /v1/messages/42/again");
    CHECK(service.requests().back().body == R"({"allow_duplicate":false})");
    (void)run_smsrack("again 42 --allow-duplicate", service.path());
    CHECK(service.requests().back().body == R"({"allow_duplicate":true})");
    CHECK(service.requests()[0].line == "GET /v1/messages/42");
    CHECK(service.requests()[1].line == "DELETE /v1/messages/42");
    CHECK(run_smsrack("modems", service.path()).out ==
          "NAME  LINK              MANUAL  OPERATOR   SIGNAL  BUSY  ACCEPTED  FAILED  QUOTA LEFT  "
          "NUMBER  PORT\n"
          "m0    pending: sim_pin  open    -         -71 dBm  no           7       0  -           "
          "-       /dev/a\n");
    (void)run_smsrack("modem show m0", service.path());
    CHECK(service.requests().back().line == "GET /v1/modems/m0");
    const ProgramRun status = run_smsrack("status", service.path());
    CHECK(status.out.contains("up        1 d 01:01:01, available 99.983 %\n"));
    CHECK(status.out.contains("messages  queued 1, sent 5\n"));
    CHECK(
        status.out.contains("LEVEL             6\n"
                            "waiting           1\n"
                            "recent time   1.5 s\n"
                            "promised     60.0 s\n"));
}

TEST_CASE("smsrack modem show: what a modem works without is said, with what to do") {
    const FakeService service([](const FakeRequest&) {
        return answer_json(
            "200 OK",
            R"({"name":"m0","link":"active","port":"/dev/a","fallbacks":["push_off","of_a_later_release"]})");
    });
    const ProgramRun run = run_smsrack("modem show m0", service.path());
    CHECK(run.out.contains("Slower than configured: modem m0 stores what it receives"));
    CHECK(run.out.contains("What to do: `smsrack modem reset m0` tries again"));
    CHECK_FALSE(run.out.contains("later_release"));
}

TEST_CASE(
    "smsrack inbox --follow: the last ones, each that comes, each once, and Ctrl-C ends it well") {
    const auto row = [](int id) {
        return fmt::format(
            R"({{"id":"{}","from":"+331","text":"text {}","modem":"m0","received_at":"2026-11-21T02:31:21.123Z"}})",
            id, id);
    };
    const auto chunk = [](const std::string& data) {
        const std::string event = "id: 9\nevent: message.received\ndata: " + data + "\n\n";
        return fmt::format("{:x}\r\n{}\r\n", event.size(), event);
    };
    const FakeService service([&](const FakeRequest& request) {
        if (request.line.contains("/v1/events")) {
            return std::string(
                       "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: "
                       "chunked\r\n\r\n") +
                   chunk(row(12)) + chunk(row(13));
        }
        std::string rows = row(1);
        for (int id = 2; id <= 12; ++id) {
            rows += "," + row(id);
        }
        return answer_json("200 OK", "{\"messages\":[" + rows + "],\"next\":null}");
    });
    const TempDir folder;
    const std::string out = (folder.path() / "out").string();
    Process follow({.words = {"/bin/sh", "-c",
                              "exec " SMSRACK_RUN " --socket '" + service.path() +
                                  "' inbox --follow >'" + out + "'"}});
    for (int i = 0; i < 200 && !read_file(out).contains("text 13\n"); ++i) {
        (void)follow.wait(std::chrono::milliseconds(50));
    }
    follow.signal(SIGINT);
    const auto ending = follow.wait(std::chrono::seconds(10));
    REQUIRE(ending);
    CHECK(ending->code == 0);
    std::string expected;
    for (int id = 3; id <= 13; ++id) {
        expected += fmt::format("{}  2026-11-21 02:31:21  +331  m0  text {}\n", id, id);
    }
    CHECK(read_file(out) == expected);
}

TEST_CASE("smsrack modem drain: waits until the line holds nothing; --no-wait does not") {
    std::atomic<int> asked = 0;
    const FakeService service([&](const FakeRequest& request) {
        if (request.line.starts_with("POST /v1/modems/m3/drain")) {
            return answer_json("202 Accepted",
                               R"({"name":"m3","manual":"blocked","drained":false})");
        }
        const bool done = ++asked >= 3;
        return answer_json("200 OK", fmt::format(R"({{"name":"m3","manual":"blocked",)"
                                                 R"("in_flight":1,"drained":{}}})",
                                                 done));
    });
    const ProgramRun waited =
        run_smsrack(fmt::format("--socket {} modem drain m3", service.path()));
    CHECK(waited.code == 0);
    CHECK(waited.out.starts_with("m3: drained;"));
    CHECK(asked == 3);
    const ProgramRun at_once =
        run_smsrack(fmt::format("--socket {} modem drain m3 --no-wait --json", service.path()));
    CHECK(at_once.code == 0);
    CHECK(at_once.out.contains("\"drained\":false"));
    CHECK(asked == 3);
}

TEST_CASE("smsrack scaling: what the controller did, in words") {
    const FakeService service(always(answer_json(
        "200 OK", R"({"enabled":true,"policy":"smsrack","n":3,"y":4,"n_min":2,"n_max":8,)"
                  R"("load":1.5,"node_rate":null,"forecast":null,"parked":["m4","m5"],)"
                  R"("decisions":[{"at":"2026-11-21T02:31:21.123Z","load":1.5,)"
                  R"("why":"3 -> 4: because"}]})")));
    const ProgramRun run = run_smsrack(fmt::format("--socket {} scaling", service.path()));
    CHECK(run.code == 0);
    CHECK(run.out.contains("on, policy smsrack"));
    CHECK(run.out.contains("m4 m5"));
    CHECK(run.out.contains("not learned yet"));
    CHECK(run.out.contains("2026-11-21 02:31:21  1.5/s  3 -> 4: because"));
}

TEST_CASE("smsrack model mmc: the published figures, and how many modems are needed") {
    const ProgramRun run = run_smsrack("model mmc --lambda 3.86 --mu 1.6 --servers 8");
    CHECK(run.code == 0);
    CHECK(run.out ==
          "P0       8.9572 %\nP(wait)  0.3650 %\nLq       0.0016\nLs       2.4141\nWq       0.0004 "
          "s\nWs       0.6254 s\n");
    CHECK(run_smsrack("model mmc --lambda 3.86 --mu 1.6 --target-wait 0.01")
              .out.starts_with("modems needed  6\n"));
    const ProgramRun too_few = run_smsrack("model mmc --lambda 3.86 --mu 1.6 --servers 2");
    CHECK(too_few.code == 65);
    CHECK(too_few.err.contains("grows without end"));
}

TEST_CASE("smsrack model scaling: the published run, an object for each decision") {
    const TempDir folder;
    const auto file = folder.path() / "trace.csv";
    std::ofstream(file) << "seconds,load\n0,10\n1200,5000\n2400,8000\n3600,12000\n4800,12000\n";
    const std::string command = fmt::format(
        "model scaling --trace {} --nodes 8 --node-rate 3000 --n-min 3 --policy ", file.string());
    const ProgramRun paper = run_smsrack(command + "paper --json");
    CHECK(paper.code == 0);
    CHECK(
        paper.out.starts_with("{\"load\":10,\"n\":3,\"rules\":[4],\"t\":570,\"x\":-1,\"y\":3}\n"));
    CHECK(
        paper.out.ends_with("{\"load\":12000,\"n\":5,\"rules\":[1],\"t\":4770,\"x\":1,\"y\":6}\n"));
    CHECK(std::ranges::count(paper.out, '\n') == 8);
    const ProgramRun ours = run_smsrack(command + "smsrack");
    CHECK(ours.code == 0);
    CHECK(ours.out.contains("taken at once"));
    CHECK(ours.out.contains("changes          3\n"));
}

TEST_CASE(
    "smsrack model scaling: a bad trace is said with its lines, bad settings are wrong usage") {
    const TempDir folder;
    const auto file = folder.path() / "trace.csv";
    std::ofstream(file) << "seconds,load\n0,10\n60,much\n90,-1\n";
    const ProgramRun bad = run_smsrack(fmt::format("model scaling --trace {}", file.string()));
    CHECK(bad.code == 65);
    CHECK(bad.out.empty());
    CHECK(bad.err.contains("trace.csv:3: load: \"much\""));
    CHECK(bad.err.contains("trace.csv:4: load: \"-1\""));
    for (const std::string& nothing : {folder.path().string(), std::string("/nowhere/trace.csv")}) {
        const ProgramRun run = run_smsrack(fmt::format("model scaling --trace {}", nothing));
        CHECK(run.code == 65);
        CHECK(run.err.contains("can't be read"));
    }
    CHECK(run_smsrack(fmt::format("model scaling --trace {} --n-min 9", file.string())).code == 64);
    CHECK(run_smsrack(fmt::format("model scaling --trace {} --policy x", file.string())).code ==
          64);
    CHECK(run_smsrack("model scaling").code == 64);
}

TEST_CASE(
    "smsrack pdu: a line in, a line out, and a bad one is answered and told by the exit code") {
    const ProgramRun good = run_smsrack(
        "pdu decode", "", "0791947106004034040C9194712243658700004260502170548005E8329BFD06\n");
    CHECK(good.code == 0);
    CHECK(good.out.contains("\"text\":\"hello\""));
    const ProgramRun bad =
        run_smsrack("pdu decode --direction mt", "",
                    "zz\n0791947106004034040C9194712243658700004260502170548005E8329BFD06");
    CHECK(bad.code == 1);
    CHECK(bad.out.starts_with("{\"error\":{\"code\":\"bad_hex\""));
    CHECK(bad.out.contains("\"text\":\"hello\""));
    CHECK(
        run_smsrack("pdu decode --no-smsc", "", "040C9194712243658700004260502170548005E8329BFD06")
            .code == 0);
    const ProgramRun encoded =
        run_smsrack("pdu encode", "", "{\"to\":\"+491722345678\",\"text\":\"hello\"}\n");
    CHECK(encoded.code == 0);
    CHECK(encoded.out.contains("0001000C91947122436587000005E8329BFD06"));
    CHECK(run_smsrack("pdu decode --direction up").code == 64);
}

TEST_CASE("smsrack db: what is no database of ours is said, and nothing is made of it") {
    const TempDir folder;
    const std::string state = folder.path().string();
    const std::string config = state + "/c.toml";
    std::ofstream(config) << "[service]\nstate_dir = \"" + state + "\"\n";
    const ProgramRun absent = run_smsrack("db check --config " + config);
    CHECK(absent.code == 1);
    CHECK(absent.err.contains(state + "/smsrack.db"));
    CHECK_FALSE(std::filesystem::exists(state + "/smsrack.db"));
    const std::string junk = state + "/junk.db";
    std::ofstream(junk) << std::string(8'192, 'x');
    CHECK(run_smsrack("db check --db " + junk).code == 65);
    CHECK(run_smsrack("db backup --db " + junk + " " + state + "/copy.db").code == 65);
    CHECK_FALSE(std::filesystem::exists(state + "/copy.db"));
    CHECK(run_smsrack("db backup").code == 64);
}

TEST_CASE("smsrack: output that can't be written is a failure") {
    CHECK(run_smsrack("model mmc --lambda 3.86 --mu 1.6 --servers 8 >/dev/full").code == 1);
}

TEST_CASE("smsrack config: check says what is wrong, show says what holds") {
    const TempDir folder;
    const auto write = [&folder](const char* text) {
        const std::string file = (folder.path() / "c.toml").string();
        std::ofstream(file) << text;
        return file;
    };
    const std::string good = write("[[modem]]\nname = \"m0\"\nport = \"/dev/a\"\n");
    CHECK(run_smsrack("config check " + good).out ==
          good + ": ok, 1 modem in 1 group, up to 352 MiB of memory\n");
    CHECK(run_smsrack("config show --config " + good).out.contains("\n[[modem]]\nname = \"m0\""));
    CHECK(run_smsrack("config show --json " + good).out.contains(R"("port":"/dev/a")"));
    const std::string bad = write("[queue]\ncapacity = 0\nx = 1\n");
    const ProgramRun run = run_smsrack("config check " + bad);
    CHECK(run.code == 65);
    CHECK(run.err == bad + ":2: queue.capacity: must be from 1 to 1000000000\n" + bad +
                         ":3: queue.x: unknown key\nsmsrack: " + bad +
                         ": 2 problems; the service would not start with it\n");
    const ProgramRun json = run_smsrack("--json config check " + bad);
    CHECK(json.code == 65);
    CHECK(json.out.contains(
        R"("key":"queue.capacity","line":2,"message":"must be from 1 to 1000000000"})"));
    CHECK(run_smsrack("config check /nowhere.toml").code == 65);
}
