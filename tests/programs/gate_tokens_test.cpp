// Tokens over the network: revoked by a call, of a client that reads nothing, named by a certificate, masked.
#include "tests/programs/support/gate_rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

std::string body_to(const std::string& number) {
    return fmt::format(R"({{"to":"{}","text":"over the network"}})", number);
}

/// One that signs itself, and its key.
void make_certificate(const std::string& name, const std::string& certificate,
                      const std::string& key) {
    REQUIRE(run({.words = {"/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                           "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                           "/CN=" + name, "-keyout", key, "-out", certificate}})
                .ending == Ending{0, 0});
}

}  // namespace

TEST_CASE("gate: a token that is revoked by a call counts no more, also after restarts") {
    GateRack rig;
    const std::string id = rig.new_token("second", "read");
    CHECK(wait_for(5s, [&] { return rig.call(id, "/v1/status").status == 200; }));
    Listening revoked(rig, id, "revoked");
    const auto remove = [&](const std::string& name) {
        auto words = rig.curl_words(rig.token("admin"), "/v1/tokens/" + name);
        words.insert(words.end(), {"--request", "DELETE", "--include"});
        return parse_answer(run({.words = words}, 70s).output).status;
    };
    CHECK(remove("none") == 404);
    CHECK(remove("second") == 200);
    CHECK(revoked.process().wait(2s).has_value());
    CHECK(rig.call(id, "/v1/status").status == 401);
    const auto tokens = [&] { return rig.call(rig.token("admin"), "/v1/tokens").json()["tokens"]; };
    const auto named = [&](const std::string& name) {
        for (const auto& one : tokens()) {
            if (one["name"] == name) {
                return one;
            }
        }
        return wire::Json();
    };
    CHECK(named("second")["revoked"] == true);
    CHECK(named("second")["used_from"] == "127.0.0.1");
    CHECK(named("admin")["revoked"] == false);
    // It is refused by the gate itself, which restarts, and by the service, which is killed.
    rig.gate().signal(SIGTERM);
    CHECK(rig.gate().wait(20s) == Ending{0, 0});
    rig.rack().kill_service();
    REQUIRE(std::filesystem::remove(rig.file("gate.log")));
    rig.start_gate();
    CHECK(rig.call(id, "/healthz").status == 401);
    rig.rack().launch_service();
    rig.rack().wait_ready();
    CHECK(named("second")["revoked"] == true);
    CHECK(rig.call(id, "/v1/status").status == 401);
    CHECK(rig.call(rig.token("read"), "/v1/status").status == 200);
}

TEST_CASE("gate: the stream of a client that reads nothing ends when its token is revoked") {
    GateRack rig("[priority]\nprotect = false\n");
    // Many events, and one that asks for all of them and takes none.
    constexpr int messages = 20'000;
    std::string body;
    for (int i = 0; i < messages; ++i) {
        body += fmt::format(
            "{{\"to\":\"+336002{:05}\",\"text\":\"of many\",\"not_before\":"
            "\"2037-01-01T00:00:00Z\"}}\n",
            i);
    }
    std::ofstream(rig.file("lines")) << body;
    auto words = rig.curl_words(rig.token("send"), "/v1/messages");
    words.insert(words.end(), {"--header", "Content-Type: application/x-ndjson", "--data-binary",
                               "@" + rig.file("lines"), "--output", rig.file("answers")});
    REQUIRE(run({.words = words}, 60s).ending == Ending{0, 0});
    words = rig.curl_words(rig.token("read"), "/v1/events");
    words.insert(words.end(), {"--header", "Last-Event-ID: 0", "--limit-rate", "1", "--output",
                               rig.file("slow"), "--no-buffer"});
    Process slow(Command{.words = words});
    const auto has_ended = [&] { return rig.gate_log().contains("route=/v1/events status=200"); };
    // Until the gate reads no more of what the service has to say.
    const std::string counts = fmt::format("/proc/{}/io", rig.gate().pid());
    const auto octets_read = [&] {
        const std::string text = read_file(counts);
        return std::stoul(text.substr(text.find("rchar: ") + 7));
    };
    const unsigned long begin = octets_read();
    unsigned long last = 0;
    REQUIRE(wait_for(20s, [&] {
        std::this_thread::sleep_for(100ms);
        return std::exchange(last, octets_read()) == octets_read() && last > begin + 256UL * 1024;
    }));
    CHECK_FALSE(has_ended());
    rig.revoke("read");
    CHECK(wait_for(2s, has_ended));
    CHECK(slow.running());  // it has not even noticed
}

TEST_CASE("gate: a client with a certificate has the rights of the token that it names") {
    const TempDir folder;
    const std::string certificate = (folder.path() / "client.pem").string();
    const std::string key = (folder.path() / "client.key").string();
    make_certificate("send", certificate, key);
    GateRack rig(fmt::format("client_ca = \"{}\"\n", certificate));
    const auto call = [&](const std::string& target) {
        auto words = rig.curl_words("", target);
        words.insert(words.end(), {"--cert", certificate, "--key", key, "--include"});
        return run({.words = words}, 70s);
    };
    const auto status = [&](const std::string& target) {
        return parse_answer(call(target).output).status;
    };
    CHECK(status("/v1/messages") == 200);
    CHECK(status("/v1/status") == 403);  // the role is send
    CHECK(rig.gate_log().contains("route=/v1/messages status=200"));
    CHECK(rig.gate_log().contains("token=send"));
    CHECK(rig.call(rig.token("read"), "/v1/status").status == 200);  // without a certificate
    CHECK(rig.call("", "/v1/messages").status == 401);
    rig.revoke("send");
    CHECK(wait_for(2s, [&] { return status("/v1/messages") == 401; }));
    make_certificate("read", certificate, key);  // the gate knows the one before
    CHECK(call("/v1/status").ending != Ending{0, 0});
    rig.gate().signal(SIGHUP);
    CHECK(wait_for(20s, [&] { return call("/v1/status").ending == Ending{0, 0}; }));
    CHECK(status("/v1/status") == 200);
}

TEST_CASE("gate: long answers are packed for clients that take gzip") {
    GateRack rig;
    auto words = rig.curl_words(rig.token("read"), "/v1/openapi.json");
    words.insert(words.end(), {"--compressed", "--include"});
    const HttpAnswer packed = parse_answer(run({.words = words}, 70s).output);
    CHECK(packed.head.contains("Content-Encoding: gzip"));
    CHECK(packed.head.contains("Vary: Accept-Encoding"));
    const HttpAnswer plain = rig.call(rig.token("read"), "/v1/openapi.json");
    CHECK_FALSE(plain.head.contains("Content-Encoding"));
    CHECK(packed.body == plain.body);  // curl unpacks it
    words = rig.curl_words(rig.token("read"), "/v1/openapi.json?q=1");
    words.insert(words.end(), {"--compressed", "--include"});
    CHECK_FALSE(parse_answer(run({.words = words}, 70s).output).head.contains("Content-Encoding"));
}

TEST_CASE("gate: a masked token reads no number and no text, in lists and in events") {
    GateRack rig;
    const Finished made = rig.smsrack({"--json", "token", "new", "--role", "read", "--masked",
                                       "--name", "eyes", "--file", rig.file("tokens")});
    const std::string eyes = wire::parse_json(made.output).value().at("token").get<std::string>();
    REQUIRE(wait_for(5s, [&] { return rig.call(eyes, "/v1/status").status == 200; }));
    Listening masked(rig, eyes, "masked");
    REQUIRE(rig.call(rig.token("send"), "/v1/messages", body_to("+33600000777")).status == 202);
    CHECK(wait_for(20s, [&] { return masked.heard().contains("event: message.delivered"); }));
    CHECK(masked.heard().contains("+336*****777"));
    CHECK_FALSE(masked.heard().contains("600000777"));
    const HttpAnswer list = rig.call(eyes, "/v1/messages?text=true");
    CHECK(list.body.contains("+336*****777"));
    CHECK_FALSE(list.body.contains("600000777"));
    CHECK_FALSE(list.body.contains("over the network"));
    CHECK(rig.call(rig.token("read"), "/v1/messages?text=true").body.contains("over the network"));
}

}  // namespace smsrack::test
