// How smsrack says what went wrong: to a person in lines, to a program as JSON, and never about what is not wrong.
#include "src/wire/json.hpp"
#include "tests/support/wait_for.hpp"
#include "tests/tools/smsrack/fake_service.hpp"
#include "tests/tools/smsrack/program_run.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace smsrack;
using namespace smsrack::test;

TEST_CASE("smsrack --json: an error is JSON too, on standard error") {
    const FakeService service([](const FakeRequest&) {
        return answer_json("404 Not Found",
                           R"({"title":"Not found","status":404,"detail":"no message has this id",)"
                           R"("code":"not_found"})");
    });
    struct Case {
        const char* words;
        const char* code;
        int exit_code;
        const char* message;
    };
    for (const Case& one : {
             Case{"--json show 7", "not_found", 1, "no message has this id (not_found)"},
             Case{"show 7 --json", "not_found", 1, "no message has this id (not_found)"},
             Case{"--json sned", "usage", 64, "did you mean"},
             Case{"send --json", "usage", 64, "--to"},
             Case{"--json --socket /nowhere.sock status", "unreachable", 69, "is smsrackd running"},
             Case{"--json config check /nowhere.toml", "bad_data", 65, "would not start"},
         }) {
        CAPTURE(one.words);
        const ProgramRun run = run_smsrack(one.words, service.path());
        CHECK(run.code == one.exit_code);
        const auto said = wire::parse_json(run.err);
        REQUIRE(said);
        const wire::Json& error = said->at("error");
        CHECK(error.at("code") == one.code);
        CHECK(error.at("exit_code") == one.exit_code);
        CHECK(error.at("message").get<std::string>().contains(one.message));
    }
    CHECK(run_smsrack("show 7", service.path()).err ==
          "smsrack: message 7: no message has this id (not_found)\n");
}

TEST_CASE("smsrack reload: each problem is a line of its own") {
    const FakeService service([](const FakeRequest&) {
        return answer_json(
            "400 Bad Request",
            R"({"status":400,"detail":"c.toml:2: a: wrong\nc.toml:3: b: wrong","code":"bad_request"})");
    });
    const ProgramRun run = run_smsrack("reload", service.path());
    CHECK(run.code == 65);
    CHECK(run.err ==
          "c.toml:2: a: wrong\nc.toml:3: b: wrong\nsmsrack: nothing was applied, the service "
          "continues as before: 2 problems (bad_request)\n");
    const auto json = wire::parse_json(run_smsrack("--json reload", service.path()).err);
    REQUIRE(json);
    CHECK(json->at("error").at("details") ==
          wire::Json({"c.toml:2: a: wrong", "c.toml:3: b: wrong"}));
}

TEST_CASE("smsrack send --file: Ctrl-C blames no line") {
    const TempDir folder;
    const FakeService service([](const FakeRequest& request) {
        std::string lines;
        for (std::size_t i = 0; i < request.body.size(); ++i) {
            lines += request.body[i] == '\n' ? R"({"id":"1","state":"queued","segments":1})"
                                               "\n"
                                             : "";
        }
        return "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: " +
               std::to_string(lines.size()) + "\r\n\r\n" + lines;
    });
    const std::string fifo = folder.path() / "messages";
    REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
    const std::string log = folder.path() / "log";
    rig::Process sending({.words = {"/bin/sh", "-c",
                                    "exec " SMSRACK_RUN " --socket '" + service.path() +
                                        "' send --file '" + fifo + "'"},
                          .output = log});
    const int writer = ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(writer >= 0);
    const std::string_view half = "to,text\n+33600000001,whole\n+33600000002,\"half of";
    REQUIRE(::write(writer, half.data(), half.size()) == static_cast<ssize_t>(half.size()));
    int unread = 1;
    CHECK(wait_for(std::chrono::seconds(10),
                   [&] { return ::ioctl(writer, FIONREAD, &unread) == 0 && unread == 0; }));
    sending.signal(SIGINT);
    const auto ended = sending.wait(std::chrono::seconds(10));
    ::close(writer);
    REQUIRE(ended);
    CHECK(ended->code == 1);
    const std::string said = read_file(log);
    CAPTURE(said);
    CHECK(said.contains("interrupted"));
    CHECK_FALSE(said.contains(fifo + ":"));  // no line is named as bad
    CHECK_FALSE(said.contains("bad line"));
}
