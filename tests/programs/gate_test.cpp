// A user's way over the network: a certificate, a token, curl; and a service that is upgraded or killed behind the gate.
#include "tests/programs/support/gate_rack.hpp"
#include "tests/support/hostile_requests.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

std::string body_to(const std::string& number) {
    return fmt::format(R"({{"to":"{}","text":"over the network"}})", number);
}

}  // namespace

TEST_CASE("gate: a program on another machine sends, reads and listens over TLS") {
    GateRack rig;
    Listening listening(rig, rig.token("read"), "events");
    const HttpAnswer sent = rig.call(rig.token("send"), "/v1/messages", body_to("+33600000101"));
    REQUIRE(sent.status == 202);
    const std::string id = sent.json().at("id").get<std::string>();
    CHECK(rig.rack().reaches(id, "delivered"));

    const HttpAnswer message = rig.call(rig.token("send"), "/v1/messages/" + id);
    CHECK(message.status == 200);
    CHECK(message.json().at("state") == "delivered");
    for (const char* header : {"X-Content-Type-Options: nosniff", "Cache-Control: no-store",
                               "Referrer-Policy: no-referrer", "Strict-Transport-Security: "}) {
        CAPTURE(header);
        CHECK(message.head.contains(header));
    }
    CHECK_FALSE(message.head.contains("Server:"));
    const std::string other = rig.new_token("other", "send");
    CHECK(wait_for(5s, [&] { return rig.call(other, "/v1/messages").status == 200; }));
    CHECK(rig.call(other, "/v1/messages/" + id).status == 404);
    CHECK(rig.call(rig.token("read"), "/v1/messages/" + id).status == 200);
    CHECK(rig.call(rig.token("send"), "/v1/status").status == 403);
    CHECK(rig.call(rig.token("read"), "/v1/status").status == 200);
    CHECK(rig.call(rig.token("read"), "/v1/optouts", R"({"number":"+33600000102"})").status == 403);
    CHECK(rig.call(rig.token("admin"), "/v1/modems/m0/at", R"({"command":"AT+CSQ"})").status ==
          403);
    CHECK(wait_for(20s, [&] { return listening.heard().contains("event: message.delivered"); }));

    const HttpAnswer metrics = rig.call(rig.token("read"), "/metrics");
    CHECK(metrics.body.contains("\nsmsrack_messages_submitted_total"));
    CHECK(metrics.body.contains(
        "smsrack_gate_requests_total{route=\"/v1/messages\",status=\"202\"} 1"));
    const std::string log = rig.gate_log();
    CHECK(log.contains("method=POST route=/v1/messages status=202"));
    CHECK(log.contains("token=send"));
    CHECK_FALSE(log.contains("+336"));
    CHECK_FALSE(log.contains(rig.token("send")));
    rig.gate().signal(SIGTERM);
    CHECK(rig.gate().wait(20s) == Ending{0, 0});
    CHECK(listening.process().wait(20s).has_value());
}

TEST_CASE("gate: without a token that counts there is nothing but whether the service runs") {
    GateRack rig;
    CHECK(rig.call("", "/healthz").status == 200);
    CHECK(rig.call("", "/readyz").status == 200);
    const HttpAnswer none = rig.call("", "/v1/messages");
    CHECK(none.status == 401);
    CHECK(none.head.contains("WWW-Authenticate: Bearer"));
    const std::string wrong = "smsrack_" + std::string(64, '0');
    const HttpAnswer unknown = rig.call(wrong, "/v1/messages");
    CHECK(unknown.status == 401);
    CHECK(unknown.body == none.body);
    CHECK(rig.call("smsrack_short", "/v1/messages").body == none.body);
    CHECK(rig.call(rig.token("send"), "/v1/messages?token=" + rig.token("send")).status == 400);
    CHECK(rig.gate_log().contains("event=token_in_query"));
    for (int i = 0; i < 8; ++i) {
        CHECK(rig.call(wrong, "/v1/messages").status == 401);
    }
    CHECK(rig.call(wrong, "/v1/messages").status == 401);
    const HttpAnswer waits = rig.call(wrong, "/v1/messages");
    CHECK(waits.status == 429);
    CHECK(waits.head.contains("Retry-After: "));
}

TEST_CASE("gate: TLS 1.2 and 1.3 and HTTP/1.1, nothing else") {
    const GateRack rig;
    const std::string request =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    for (const char* version : {"-tls1_2", "-tls1_3"}) {
        CAPTURE(version);
        const Finished done = rig.s_client({version, "-quiet", "-alpn", "http/1.1"}, request);
        CHECK(done.output.contains("HTTP/1.1 200 OK"));
    }
    for (const std::vector<std::string>& refused :
         std::vector<std::vector<std::string>>{{"-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"},
                                               {"-tls1", "-cipher", "DEFAULT@SECLEVEL=0"},
                                               {"-tls1_2", "-cipher", "AES128-SHA"},
                                               {"-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA"},
                                               {"-alpn", "h2"}}) {
        CAPTURE(refused.back());
        const Finished done = rig.s_client(refused);
        CHECK(done.ending != Ending{0, 0});
        CHECK(done.output.contains("alert"));
    }
    CHECK(rig.s_client({"-alpn", "h2"}).output.contains("no application protocol"));
    // A client that speaks no TLS gets no answer.
    const Finished plain = run({.words = {"/usr/bin/curl", "--silent", "--max-time", "20",
                                          "http://" + rig.place() + "/healthz"}},
                               30s);
    CHECK(plain.ending != Ending{0, 0});
}

TEST_CASE("gate: hostile requests get over TLS what they get on the socket") {
    GateRack rig;
    for (const HostileRequest& it : hostile_requests()) {
        CAPTURE(it.what);
        const UnixStream socket(rig.rack().socket());
        REQUIRE(socket.send(it.text));
        socket.end_sending();
        const HttpAnswer local = parse_answer(socket.receive_all());
        const Finished done = rig.s_client({"-quiet"}, it.text);
        const std::size_t begin = done.output.find("HTTP/1.1 ");
        REQUIRE(begin != std::string::npos);
        // Behind the answer openssl may say how the connection ended.
        const HttpAnswer remote = parse_answer(done.output.substr(begin));
        CHECK(local.status == it.status);
        CHECK(remote.status == it.status);
        CHECK(remote.body.starts_with(local.body));
    }
    CHECK(rig.call(rig.token("send"), "/v1/messages", body_to("+33600000111")).status == 202);
}

TEST_CASE("gate: clients notice nothing of a service that is killed or upgraded") {
    GateRack rig;
    Listening listening(rig, rig.token("read"), "events");
    std::vector<std::string> sent;
    const auto send = [&] {
        const HttpAnswer answer = rig.call(rig.token("send"), "/v1/messages",
                                           body_to(fmt::format("+336000002{:02}", sent.size())));
        CAPTURE(answer.body);
        REQUIRE(answer.status == 202);
        sent.push_back(answer.json().at("id").get<std::string>());
    };
    for (int round = 0; round < 3; ++round) {
        send();
        for (const std::string& id : sent) {  // one in flight would be uncertain after the kill
            CHECK(rig.rack().reaches(id, "delivered"));
        }
        rig.rack().kill_service();
        auto meanwhile = std::async(std::launch::async, send);  // while there is no service
        std::this_thread::sleep_for(500ms);
        rig.rack().launch_service();
        meanwhile.get();
        rig.rack().wait_ready();
        send();
        rig.upgrade_service();
        send();
    }
    for (const std::string& id : sent) {
        CHECK(rig.rack().reaches(id, "delivered"));
    }
    // What the service itself says of the same time.
    UnixStream socket(rig.rack().socket());
    REQUIRE(
        socket.send(fmt::format("GET /v1/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: {}\r\n\r\n",
                                listening.ids().front() - 1)));
    const auto last = [&] { return listening.ids().back(); };
    REQUIRE(wait_for(20s, [&] {
        const std::string text = listening.heard();
        return std::ranges::all_of(sent,
                                   [&](const std::string& id) {
                                       const std::size_t at = text.rfind("\"" + id + "\"");
                                       return at != std::string::npos;
                                   }) &&
               text.contains("event: message.delivered");
    }));
    const std::string all = socket.receive_until(fmt::format("\nid: {}\n", last()));
    const std::vector<long> wanted = event_ids(all);
    std::vector<long> got = listening.ids();
    REQUIRE(got.size() >= wanted.size());
    got.resize(wanted.size());
    CHECK(got == wanted);  // none is missing, none comes twice
    CHECK(listening.process().running());
    for (std::size_t i = 0; i < sent.size(); ++i) {
        CHECK(rig.rack().submits_to(fmt::format("+336000002{:02}", i)).size() == 1);
    }
}

TEST_CASE("gate: a body of many lines is accepted as a whole, once, over a kill of the service") {
    GateRack rig("[priority]\nprotect = false\n");
    constexpr std::size_t lines = 2'000;
    std::string body;
    for (std::size_t i = 0; i < lines; ++i) {
        body += fmt::format("{{\"to\":\"+336001{:05}\",\"text\":\"of many\"}}\n", i);
    }
    std::ofstream(rig.file("lines")) << body;
    auto words = rig.curl_words(rig.token("send"), "/v1/messages");
    words.insert(words.end(), {"--header", "Content-Type: application/x-ndjson", "--no-buffer",
                               "--limit-rate", "40K", "--upload-file", rig.file("lines"),
                               "--request", "POST", "--header", "Expect:"});
    Process upload(Command{.words = words, .output = rig.file("answers")});
    const auto answers = [&] { return read_file(rig.file("answers")); };
    REQUIRE(wait_for(20s, [&] { return std::ranges::count(answers(), '\n') > 100; }));
    rig.rack().kill_service();
    rig.rack().launch_service();
    CHECK(upload.wait(60s) == Ending{0, 0});
    const std::string all = answers();
    CHECK(std::ranges::count(all, '\n') == static_cast<std::ptrdiff_t>(lines));
    CHECK_FALSE(all.contains("error"));
    // Each is there once.
    std::set<std::string> ids;
    for (std::size_t at = all.find("\"id\":\""); at != std::string::npos;
         at = all.find("\"id\":\"", at + 1)) {
        ids.insert(all.substr(at, all.find(',', at) - at));
    }
    CHECK(ids.size() == lines);
    rig.rack().wait_ready();
    const HttpAnswer last =
        rig.call(rig.token("read"), fmt::format("/v1/messages?to=%2B336001{:05}", lines / 2));
    CHECK(last.json().at("messages").size() == 1);
}

TEST_CASE("gate: a service that is away for long is said, and no connection is cut") {
    GateRack rig;
    rig.rack().kill_service();
    const HttpAnswer get = rig.call(rig.token("read"), "/v1/status");
    CHECK(get.status == 503);
    CHECK(get.head.contains("Retry-After: "));
    CHECK(get.json().at("code") == "overloaded");
    CHECK(rig.call(rig.token("send"), "/v1/messages", body_to("+33600000301")).status == 503);
}

TEST_CASE("gate: a revoked token ends its streams at once, and a new certificate no connection") {
    GateRack rig;
    Listening revoked(rig, rig.token("send"), "revoked");
    Listening other(rig, rig.token("read"), "other");
    const std::string before = read_file(rig.certificate());
    REQUIRE(std::filesystem::remove(rig.certificate()));
    REQUIRE(std::filesystem::remove(rig.file("tls.key")));
    REQUIRE(rig.smsrack({"tls", "new", "--name", "localhost", "--cert", rig.certificate(), "--key",
                         rig.file("tls.key")})
                .ending == Ending{0, 0});
    rig.gate().signal(SIGHUP);
    CHECK(wait_for(20s, [&] { return rig.gate_log().contains("event=certificate_read"); }));
    CHECK(rig.call(rig.token("send"), "/v1/messages").status == 200);  // with the new one
    CHECK(revoked.process().running());
    rig.revoke("send");
    CHECK(revoked.process().wait(2s).has_value());
    CHECK(other.process().running());
    CHECK(rig.call(rig.token("send"), "/v1/messages").status == 401);
}

TEST_CASE("gate: a browser's login survives a restart of the gate, and ends with its token") {
    GateRack rig;
    const std::vector<std::string> json{"--header", "Content-Type: application/json",
                                        "--data-binary"};
    const auto with = [&](const std::string& body) {
        auto words = json;
        words.push_back(body);
        return words;
    };
    CHECK(rig.browse("/v1/session").status == 401);
    const HttpAnswer login =
        rig.browse("/v1/session", with(R"({"token":")" + rig.token("admin") + R"("})"));
    REQUIRE(login.status == 200);
    CHECK(login.head.contains("Set-Cookie: __Host-smsrack="));
    CHECK(login.head.contains("; HttpOnly; SameSite=Strict; Secure"));
    CHECK(login.json().at("name") == "admin");
    CHECK(rig.browse("/v1/optouts", with(R"({"number":"+33600000401"})")).status == 200);
    CHECK(rig.browse("/v1/optouts", {"--data-binary", R"({"number":"+33600000402"})"}).status ==
          403);

    rig.gate().signal(SIGTERM);
    CHECK(rig.gate().wait(40s) == Ending{0, 0});
    REQUIRE(std::filesystem::remove(rig.file("gate.log")));
    rig.start_gate();
    CHECK(rig.browse("/v1/session").json().at("role") == "admin");
    const std::string kept = read_file(rig.file("logins"));
    CHECK(std::ranges::count(kept, '\n') == 1);
    CHECK_FALSE(kept.contains(rig.token("admin")));
    rig.revoke("admin");
    CHECK(wait_for(2s, [&] { return rig.browse("/v1/session").status == 401; }));
    CHECK(read_file(rig.file("logins")).empty());
    CHECK_FALSE(rig.gate_log().contains("+336"));
}

TEST_CASE("gate: without [http] there is nothing to do") {
    const TempDir folder;
    const auto file = folder.path() / "smsrack.toml";
    std::ofstream(file) << "";
    const Finished done = run({.words = {program("smsrack-gate"), "--config", file}});
    CHECK(done.ending == Ending{0, 0});
    CHECK(done.output.contains("has no [http]"));
    std::ofstream(file) << "[http]\nlisten = \"0.0.0.0:8775\"\n";
    const Finished refused = run({.words = {program("smsrack-gate"), "--config", file}});
    CHECK(refused.ending == Ending{78, 0});
    CHECK(refused.output.contains("smsrack tls new"));
}

}  // namespace smsrack::test
