// Webhooks between a service that comes and goes and receivers that are good and bad.
#include "src/webhook/config_hash.hpp"
#include "tests/gate/support/hook_gate.hpp"
#include "tests/gate/support/socket_server.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::gate;
using namespace std::chrono_literals;
using test::GoodReceiver;
using test::HookGate;
using test::http_answer;
using test::Peer;
using test::SocketServer;

TEST_CASE("Webhooks: what the service gives is sent once, and each result is reported") {
    GoodReceiver receiver(http_answer(201, "made"));
    HookGate rig;
    rig.start({rig.hook("crm", receiver.url())});
    for (int i = 0; i < 100; ++i) {
        rig.service.add("crm", std::to_string(1'000 + i), R"({"type":"message.received"})", 3);
    }
    REQUIRE(rig.run_until([&] { return rig.service.results("crm").size() == 100; }));
    rig.run_for(100ms);
    const auto ids = receiver.ids();
    CHECK(std::set(ids.begin(), ids.end()).size() == 100);
    CHECK(ids.size() == 100);
    CHECK(std::ranges::find(ids, "evt_1000") != ids.end());
    const auto result = rig.service.results("crm").front();
    CHECK(result.at("attempt") == 3);
    CHECK(result.at("status") == 201);
    CHECK(result.at("answer") == "made");
    CHECK_FALSE(result.contains("error"));
    CHECK(result.at("at").get<std::string>().ends_with("Z"));
    const auto take = rig.service.takes("crm").front();
    CHECK(take.at("gate") == "0123456789abcdef");
    CHECK(take.at("config") == smsrack::webhook::config_hash(rig.list.front()));
    CHECK(take.at("room") == 32);
    CHECK(receiver.server.accepted() <= 4);
    CHECK(rig.metrics.text(0).contains(
        R"(smsrack_gate_webhook_requests_total{webhook="crm",status="2xx"} 100)"));
}

TEST_CASE("Webhooks: what it holds is named, and never more than there is room for") {
    const SocketServer deaf([](Peer& peer) { peer.wait_for_end(); });
    HookGate rig;
    rig.start({rig.hook("crm", fmt::format("http://127.0.0.1:{}/", deaf.port()))});
    for (int i = 0; i < 100; ++i) {
        rig.service.add("crm", std::to_string(100 + i));
    }
    REQUIRE(rig.run_until([&] {
        const auto takes = rig.service.takes("crm");
        return !takes.empty() && takes.back().at("room") == 0;
    }));
    CHECK(rig.service.takes("crm").back().at("holding").size() == 32);
    CHECK(rig.run_until([&] { return deaf.accepted() == 4; }, 2s));
    rig.run_for(200ms);
    CHECK(deaf.accepted() == 4);
}

TEST_CASE("Webhooks: what is being reported is not named as held, since it may be decided") {
    GoodReceiver receiver;
    HookGate rig;
    rig.start({rig.hook("crm", receiver.url())});
    rig.service.with("crm", [](auto& it) { it.results_wait = true; });
    rig.service.add("crm", "1");
    REQUIRE(rig.run_until([&] { return rig.service.results("crm").size() == 1; }));
    rig.service.add("crm", "2");
    // The question that was under way when the second one came still names the first.
    CHECK(rig.run_until([&] {
        return rig.service.takes("crm").back().at("holding") == test::HookService::Json{"2"};
    }));
    CHECK(receiver.count() <= 2);
}

TEST_CASE("Webhooks: a service that is away loses no result, and gets each later") {
    GoodReceiver receiver;
    HookGate rig;
    rig.start({rig.hook("crm", receiver.url())});
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 10; ++i) {
            rig.service.add("crm", std::to_string(1'000 + 10 * round + i));
        }
        rig.run_for(std::chrono::milliseconds(round % 7));
        rig.service.stop();
        rig.run_for(20ms);
        rig.service.start();
    }
    // What an answer lost on its way brought is not given again by this service, which has no store: all that
    // was sent is reported.
    const auto reported = [&] {
        std::set<std::string> all;
        for (const auto& one : rig.service.results("crm")) {
            all.insert("evt_" + one.at("event").get<std::string>());
        }
        return all;
    };
    // Looks in a row at which this holds: it also holds for a moment between two requests.
    int quiet = 0;
    const bool all_reported = rig.run_until([&] {
        const auto ids = receiver.ids();
        const bool holds = !ids.empty() && rig.service.waiting("crm") == 0 &&
                           reported() == std::set(ids.begin(), ids.end());
        quiet = holds ? quiet + 1 : 0;
        return quiet >= 40;
    });
    CAPTURE(reported().size());
    CAPTURE(receiver.count());
    CAPTURE(rig.service.takes("crm").back().dump());
    REQUIRE(all_reported);
    const auto ids = receiver.ids();
    CHECK(std::set(ids.begin(), ids.end()).size() == ids.size());
}

TEST_CASE("Webhooks: a service that can't store gets each result again until it can") {
    for (const int status : {507, 500, 403}) {
        CAPTURE(status);
        GoodReceiver receiver;
        HookGate rig;
        rig.service.with("crm", [&](auto& it) { it.results_refusal = status; });
        rig.start({rig.hook("crm", receiver.url())});
        rig.service.add("crm", "1");
        REQUIRE(rig.run_until([&] { return rig.service.results_refused("crm") >= 1; }));
        rig.service.with("crm", [](auto& it) { it.results_refusal = 0; });
        CHECK(rig.run_until([&] { return rig.service.results("crm").size() == 1; }));
        CHECK(receiver.count() == 1);
        CHECK(rig.log.count("webhook_results_refused") == 1);
    }
}

TEST_CASE("Webhooks: results of a webhook that the service does not have are dropped, and said") {
    GoodReceiver receiver;
    HookGate rig;
    rig.service.with("crm", [](auto& it) { it.results_refusal = 404; });
    rig.start({rig.hook("crm", receiver.url())});
    rig.service.add("crm", "1");
    CHECK(rig.run_until([&] { return rig.log.count("webhook_results_lost") == 1; }));
}

TEST_CASE("Webhooks: what was not reported before a reload is reported after it") {
    GoodReceiver receiver;
    GoodReceiver refusing(http_answer(410));
    HookGate rig;
    auto good = rig.hook("good", receiver.url());
    auto gone = rig.hook("gone", refusing.url());
    auto moved = rig.hook("moved", refusing.url());
    for (const char* name : {"good", "gone", "moved"}) {
        rig.service.with(name, [](auto& it) { it.results_refusal = 507; });
        rig.service.add(name, "1");
    }
    rig.start({good, gone, moved});
    REQUIRE(rig.run_until([&] { return rig.log.count("webhook_results_refused") == 3; }));
    const auto before = rig.service.takes("good").size();
    good.url = receiver.url() + "/new";
    gone.timeout = 3s;
    moved.url = receiver.url();
    rig.list = {good, gone, moved};
    rig.webhooks.reload();
    REQUIRE(rig.run_until([&] { return rig.service.takes("good").size() > before; }));
    CHECK(rig.service.takes("good").back().at("holding").size() == 1);
    for (const char* name : {"good", "gone", "moved"}) {
        rig.service.with(name, [](auto& it) { it.results_refusal = 0; });
    }
    REQUIRE(rig.run_until([&] {
        return rig.service.results("good").size() == 1 && rig.service.results("gone").size() == 1;
    }));
    CHECK(rig.service.results("good").front().at("status") == 200);
    CHECK(rig.service.results("gone").front().at("status") == 410);
    CHECK(rig.service.results("moved").empty());  // another receiver refused
}

TEST_CASE("Webhooks: deaf and hostile receivers do not delay a good one") {
    const SocketServer deaf([](Peer& peer) { peer.wait_for_end(); });
    const SocketServer slow([](Peer& peer) {
        peer.request();
        while (peer.write("H")) {
            std::this_thread::sleep_for(10ms);
        }
    });
    GoodReceiver receiver;
    HookGate rig;
    rig.start({rig.hook("deaf", fmt::format("http://127.0.0.1:{}/", deaf.port())),
               rig.hook("slow", fmt::format("http://127.0.0.1:{}/", slow.port())),
               rig.hook("lost", "http://no.such.name.invalid/"), rig.hook("good", receiver.url())});
    for (int i = 0; i < 100; ++i) {
        for (const char* name : {"deaf", "slow", "lost"}) {
            rig.service.add(name, std::to_string(i));
        }
    }
    rig.run_for(200ms);
    std::chrono::milliseconds longest{0};
    for (std::size_t i = 1; i <= 50; ++i) {
        const auto begun = std::chrono::steady_clock::now();
        rig.service.add("good", std::to_string(i));
        REQUIRE(rig.run_until([&] { return receiver.count() == i; }, 5s));
        longest = std::max(longest, std::chrono::duration_cast<std::chrono::milliseconds>(
                                        std::chrono::steady_clock::now() - begun));
    }
    CHECK(longest < 500ms);
    CHECK(rig.run_until([&] {
        return rig.service.results("deaf").size() >= 4 && rig.service.results("slow").size() >= 4 &&
               rig.service.results("lost").size() >= 4;
    }));
    CHECK(rig.service.results("deaf").front().at("error").get<std::string>().contains("no answer"));
    CHECK(rig.log.count("webhook_fails") == 3);
}

TEST_CASE("Webhooks: Retry-After holds all requests of the webhook") {
    GoodReceiver receiver(http_answer(429, "", "Retry-After: 1\r\n"));
    HookGate rig;
    auto hook = rig.hook("crm", receiver.url());
    hook.parallel = 1;
    rig.start({hook});
    for (int i = 0; i < 10; ++i) {
        rig.service.add("crm", std::to_string(i));
    }
    REQUIRE(rig.run_until([&] { return rig.service.results("crm").size() == 1; }));
    CHECK(rig.service.results("crm").front().at("retry_after_s") == 1);
    CHECK(rig.service.results("crm").front().at("status") == 429);
    // The others were let go of, and the service hears of it at once; what comes now waits.
    REQUIRE(
        rig.run_until([&] { return rig.service.takes("crm").back().at("holding").empty(); }, 5s));
    const auto begun = std::chrono::steady_clock::now();
    rig.service.with("crm", [](auto& it) {
        it.pause_ms = 800;
        it.waiting.clear();
    });
    rig.service.add("crm", "99");
    REQUIRE(rig.run_until([&] { return receiver.count() == 2; }));
    CHECK(std::chrono::steady_clock::now() - begun > 700ms);
}

TEST_CASE("Webhooks: while it fails one request at a time is sent, and off none but tests") {
    GoodReceiver receiver(http_answer(500));
    HookGate rig;
    rig.start({rig.hook("crm", receiver.url())});
    rig.service.with("crm", [](auto& it) { it.state = "off"; });
    rig.service.add("crm", "1");
    rig.service.test("crm", "evt_test_1");
    REQUIRE(rig.run_until([&] { return rig.service.test_results("crm").size() == 1; }));
    CHECK(receiver.ids() == std::vector<std::string>{"evt_test_1"});
    const auto result = rig.service.test_results("crm").front();
    CHECK(result.at("test") == "evt_test_1");
    CHECK(result.at("status") == 500);
    CHECK(result.at("address") == "127.0.0.1");
    CHECK(rig.service.results("crm").empty());
}

TEST_CASE("Webhooks: a webhook with a bad key says so to its test, and sends nothing") {
    GoodReceiver receiver;
    HookGate rig;
    std::ofstream(rig.secret) << "not a secret\n";
    rig.start({rig.hook("crm", receiver.url())});
    rig.service.add("crm", "1");
    rig.service.test("crm", "evt_test_1");
    REQUIRE(rig.run_until([&] { return rig.service.test_results("crm").size() == 1; }));
    const std::string error = rig.service.test_results("crm").front().at("error");
    CHECK(error.contains("whsec_"));
    CHECK_FALSE(error.contains("not a secret"));
    CHECK(rig.service.takes("crm").back().at("room") == 0);
    CHECK(receiver.count() == 0);
    CHECK(rig.log.count("webhook_unusable") == 1);
    // Corrected, it is read again.
    std::ofstream(rig.secret) << "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n";
    rig.webhooks.reload();
    CHECK(rig.run_until([&] { return receiver.count() == 1; }));
}

TEST_CASE("Webhooks: a reload adds, changes and removes webhooks, and leaves the others alone") {
    GoodReceiver one;
    GoodReceiver two;
    HookGate rig;
    rig.start({rig.hook("same", one.url()), rig.hook("goes", one.url())});
    rig.service.add("same", "1");
    rig.service.add("goes", "2");
    REQUIRE(rig.run_until([&] { return one.count() == 2; }));
    REQUIRE(rig.run_until([&] {
        return rig.service.results("goes").size() == 1 && rig.service.results("same").size() == 1;
    }));
    const int before = rig.log.count("webhook_read");
    const auto connections = one.server.accepted();
    auto changed = rig.hook("comes", two.url());
    rig.list = {rig.hook("same", one.url()), changed};
    rig.webhooks.reload();
    CHECK(rig.webhooks.size() == 2);
    CHECK(rig.log.count("webhook_read") == before + 1);
    rig.service.add("same", "3");
    rig.service.add("comes", "4");
    CHECK(rig.run_until([&] { return one.count() == 3 && two.count() == 1; }));
    CHECK(one.server.accepted() == connections);
    changed.url = one.url();
    rig.list = {rig.hook("same", one.url()), changed};
    const auto takes = rig.service.takes("comes").size();
    rig.webhooks.reload();
    // What the take of the run that ended would get is lost: this service has no store.
    REQUIRE(rig.run_until([&] { return rig.service.takes("comes").size() > takes; }));
    rig.service.add("comes", "5");
    CHECK(rig.run_until([&] { return one.count() == 4; }));
    rig.list = {};
    rig.webhooks.reload();
    CHECK(rig.webhooks.size() == 0);
}

TEST_CASE("Webhooks: a service with another configuration makes the gate read its own again") {
    GoodReceiver receiver;
    HookGate rig;
    const auto old = rig.hook("crm", "http://127.0.0.1:9/old");
    rig.service.with("crm", [&](auto& it) { it.old_config = smsrack::webhook::config_hash(old); });
    rig.start({old});
    rig.list = {rig.hook("crm", receiver.url())};
    REQUIRE(rig.run_until([&] { return rig.log.count("webhook_read") == 2; }));
    rig.service.add("crm", "1");
    CHECK(rig.run_until([&] { return receiver.count() == 1; }));
}

TEST_CASE("Webhooks: before it ends, the gate reports what is in flight") {
    std::atomic<bool> answer = false;
    const SocketServer late([&](Peer& peer) {
        peer.request();
        while (!answer) {
            std::this_thread::sleep_for(5ms);
        }
        peer.write(http_answer(200));
    });
    HookGate rig;
    rig.start({rig.hook("crm", fmt::format("http://127.0.0.1:{}/", late.port()))});
    rig.service.add("crm", "1");
    REQUIRE(rig.run_until([&] { return late.accepted() == 1; }));
    bool drained = false;
    rig.webhooks.drain([&] { drained = true; });
    rig.run_for(50ms);
    CHECK_FALSE(drained);
    answer = true;
    CHECK(rig.run_until([&] { return drained; }));
    CHECK(rig.service.results("crm").size() == 1);
}

TEST_CASE("share_of: all webhooks together stay within the bounds, and each has something") {
    config::WebhookSettings greedy;
    greedy.parallel = 64;
    config::WebhookSettings usual;
    for (std::size_t count = 1; count <= config::webhooks_max; ++count) {
        CHECK(share_of(greedy, count).parallel * count <= Webhooks::connections_max);
        CHECK(share_of(greedy, count).held_max * count <= Webhooks::held_max);
        CHECK(share_of(usual, count).parallel == 4);
        CHECK(share_of(usual, count).held_max >= 16);
    }
}

TEST_CASE("Webhooks: without libcurl nothing is sent, and the service hears why") {
    GoodReceiver receiver;
    HookGate rig;
    bool installed = false;
    Webhooks without(
        {rig.upstream, rig.loop, rig.clock, rig.metrics, rig.log}, "0123456789abcde0",
        [&] { return std::optional(WebhookList{rig.hook("crm", receiver.url())}); },
        [&]() -> Result<const CurlLibrary*> {
            return installed ? CurlLibrary::load()
                             : fail(Errc::bad_config, "webhooks need libcurl");
        });
    rig.service.test("crm", "evt_test_1");
    without.start({rig.hook("crm", receiver.url())});
    REQUIRE(rig.run_until([&] { return rig.service.test_results("crm").size() == 1; }));
    CHECK(rig.service.test_results("crm")[0].at("error") == "webhooks need libcurl");
    CHECK(rig.service.takes("crm")[0].at("unusable") == "webhooks need libcurl");
    CHECK(rig.service.takes("crm")[0].at("room") == 0);

    installed = true;
    rig.service.add("crm", "1");
    without.reload();
    REQUIRE(rig.run_until([&] { return rig.service.results("crm").size() == 1; }));
    CHECK(receiver.count() == 1);
    CHECK_FALSE(rig.service.takes("crm").back().contains("unusable"));
}

TEST_CASE("Webhooks: a file of keys that is read half-written changes nothing") {
    GoodReceiver receiver;
    HookGate rig;
    rig.start({rig.hook("crm", receiver.url())});
    std::ofstream(rig.secret) << "whsec_MfKQ";  // too short
    rig.webhooks.reload();
    rig.service.add("crm", "1");
    REQUIRE(rig.run_until([&] { return rig.service.results("crm").size() == 1; }));
    CHECK(rig.service.results("crm")[0].at("status") == 200);
    CHECK(std::ranges::none_of(rig.service.takes("crm"),
                               [](const auto& take) { return take.contains("unusable"); }));
}

TEST_CASE("Webhooks: a file that was changed while it was read is read once more") {
    GoodReceiver receiver;
    HookGate rig;
    std::ofstream(rig.secret) << "whsec_MfKQ";
    rig.start({rig.hook("crm", receiver.url())});
    rig.webhooks.reload();  // the service hears that nothing can be sent
    std::ofstream(rig.secret) << "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n";
    rig.service.add("crm", "1");
    REQUIRE(rig.run_until([&] { return rig.service.results("crm").size() == 1; }));
    CHECK(receiver.count() == 1);
}
