// Events on their whole way: the real service, the real gate, and the receiver of the documentation, which checks signatures by itself.
#include "tests/programs/support/hook_kills.hpp"
#include "tests/programs/support/hook_rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <sys/stat.h>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

bool has_type(const std::vector<HookCall>& calls, const std::string& type) {
    return std::ranges::any_of(calls, [&](const HookCall& call) {
        return call.body.starts_with(fmt::format("{{\"type\":\"{}\"", type));
    });
}

}  // namespace

TEST_CASE("webhook: the receiver of the documentation gets what happens, signed") {
    CHECK(read_file(SMSRACK_SOURCE_DIR "/docs/webhooks.md")
              .contains(read_file(SMSRACK_SOURCE_DIR "/docs/webhook_receiver.py")));
    HookRack rig("message.*");
    rig.start_receiver();
    rig.rack().start_service();
    rig.start_gate();
    const std::string id =
        rig.rack().submit({{"to", "+33612345678"}, {"text", "over a webhook"}, {"ref", "hook-1"}});
    rig.rack().simulate({{"do", "inbound"}, {"from", "+33698765432"}, {"text", "an answer"}});
    REQUIRE(wait_for(30s, [&] { return has_type(rig.calls(), "message.delivered"); }));
    const auto calls = rig.calls();
    const auto delivered = std::ranges::find_if(
        calls, [](const HookCall& call) { return call.body.contains("message.delivered"); });
    const auto data = wire::parse_json(delivered->body).value().at("data");
    CHECK(data.at("id") == id);
    CHECK(data.at("to") == "+33612345678");
    CHECK(data.at("text") == "over a webhook");
    const std::string log = rig.gate_log();
    CHECK_FALSE(log.contains("over a webhook"));
    CHECK_FALSE(log.contains("whsec_"));
    CHECK_FALSE(log.contains("+33612345678"));
}

TEST_CASE("webhook: npm's standardwebhooks, which has the old of two secrets, takes what is sent") {
    HookRack rig("message.*");
    rig.start_npm_receiver();
    std::ofstream(rig.file("key")) << "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD\n"
                                      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n";
    rig.rack().start_service();
    rig.start_gate();
    const std::string id =
        rig.rack().submit({{"to", "+33612345678"}, {"text", "caf\u00e9, \u20ac and \U0001F600"}});
    REQUIRE(rig.rack().reaches(id, "delivered"));
    CHECK(wait_for(30s, [&] { return has_type(rig.calls(), "message.delivered"); }));
    CHECK(rig.refused() == 0);
}

TEST_CASE("webhook: kills of gate and service lose no event, change none, and keep their order") {
    CHECK(survive_kills({.messages = 150, .kills = 12}) >= 150);
}

TEST_CASE("webhook: a receiver that was away gets what it missed, and SIGTERM ends the gate soon") {
    HookRack rig("message.delivered");
    rig.rack().start_service();
    rig.start_gate();
    const std::string id = rig.rack().submit({{"to", "+33612345678"}, {"text", "later"}});
    REQUIRE(rig.rack().reaches(id, "delivered"));
    REQUIRE(wait_for(20s, [&] { return rig.gate_log().contains("event=webhook_fails"); }));
    CHECK(rig.gate_log().contains("refuses connections"));
    rig.start_receiver();
    CHECK(wait_for(30s, [&] { return has_type(rig.calls(), "message.delivered"); }));
    CHECK(wait_for(5s, [&] { return rig.gate_log().contains("event=webhook_delivers"); }));
    rig.gate().signal(SIGTERM);
    CHECK(rig.gate().wait(10s) == Ending{0, 0});
}

TEST_CASE("smsrack webhook new: adds a webhook that works, and changes nothing where it can't") {
    HookRack rig("message.*", 1);
    const std::string config = rig.rack().config_file();
    const std::string secret = rig.file("new.key");
    const auto add = [&](const std::string& name, const std::string& url) {
        return run({.words = {program("smsrack"), "webhook", "new", name, url, "--config", config,
                              "--secret", secret}});
    };
    const std::string before = read_file(config);
    CHECK(add("crm", "https://crm.example/").ending == Ending{65, 0});
    CHECK(add("shop", "http://192.0.2.1/").ending == Ending{65, 0});
    CHECK(add("shop", "ftp://shop.example/").ending == Ending{65, 0});
    CHECK(read_file(config) == before);
    CHECK_FALSE(std::filesystem::exists(secret));
    const Finished done = add("shop", "https://shop.example/hook?key=\"x\"");
    CHECK(done.ending == Ending{65, 0});  // a quotation mark is none of a URL
    const Finished added = add("shop", "https://shop.example/hook?key=1");
    CHECK(added.ending == Ending{0, 0});
    CHECK(added.output.contains("reload"));
    CHECK_FALSE(added.output.contains("whsec_"));
    CHECK(read_file(secret).starts_with("whsec_"));
    struct stat about {};
    REQUIRE(::stat(secret.c_str(), &about) == 0);
    CHECK((about.st_mode & 0777) == 0640);
    CHECK(read_file(config).starts_with(before));
    CHECK(run({.words = {program("smsrack"), "config", "check", config}}).ending == Ending{0, 0});
    CHECK(add("other", "https://other.example/").ending == Ending{1, 0});  // the secret is there
    CHECK_FALSE(read_file(config).contains("other.example"));
}

TEST_CASE("smsrack webhook verify: says whether a recorded request is good, and what is wrong") {
    TempDir folder;
    const std::string secret = (folder.path() / "key").string();
    const std::string file = (folder.path() / "request").string();
    std::ofstream(secret) << "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n";
    // The published example of Standard Webhooks.
    const std::string good =
        "POST /hook HTTP/1.1\r\nHost: crm.example\r\nContent-Length: 20\r\nWebhook-Id: "
        "msg_p5jXN8AQM9LWM0D4loKWxJek\r\nWebhook-Timestamp: 1614265330\r\nWebhook-Signature: "
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=\r\n\r\n{\"test\": 2432232314}";
    const auto verify = [&](const std::string& request, const std::string& at) {
        std::ofstream(file) << request;
        return run(
            {.words = {program("smsrack"), "webhook", "verify", "--secret", secret, "--at", at},
             .input = file});
    };
    const std::string then = "2021-02-25T15:03:00Z";
    CHECK(verify(good, then).ending == Ending{0, 0});
    CHECK(verify(good, "2021-02-25T16:00:00Z").output.contains("older"));
    std::string changed = good;
    changed.replace(changed.find("2432232314"), 10, "2432232315");
    const Finished refused = verify(changed, then);
    CHECK(refused.ending == Ending{65, 0});
    CHECK(refused.output.contains("none fits"));
    CHECK(verify(good + "\n", then).output.contains("Content-Length"));
    CHECK(verify("hello", then).output.contains("whole request"));
}

}  // namespace smsrack::test
