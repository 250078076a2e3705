#include "tests/db/webhook_rig.hpp"
#include "tests/db/webhook_rows_fixture.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::WebhookRig;
using test::WebhookRowsFixture;

namespace {

struct Losses : WebhookRowsFixture {
    ports::WebhookRow hook(std::vector<std::string> events, std::string client = {}) {
        return keep({.name = "crm", .events = std::move(events), .client = std::move(client)});
    }
    NewMessage of_client(const std::string& name) {
        NewMessage m = message();
        m.client = name;
        return m;
    }
};

}  // namespace

TEST_CASE("webhook losses: wanted events that are removed behind the cursor are counted") {
    struct Case {
        const char* what;
        std::vector<std::string> events;
        const char* client;
        std::int64_t lost;
    };
    // Two messages, one of a client: each was queued, sending and sent; and one was received.
    for (const Case& one : {
             Case{"a group of events", {"message.*"}, "", 7},
             Case{"the first event, which is in the row of the message", {"message.queued"}, "", 2},
             Case{"one of the later ones", {"message.sent"}, "", 2},
             Case{"what came in", {"message.received"}, "", 1},
             Case{"events of one client", {"message.*"}, "billing", 3},
             Case{"of a client that is not there", {"message.*"}, "other", 0},
             Case{"events that did not happen", {"message.failed", "modem.state"}, "", 0},
         }) {
        CAPTURE(one.what);
        Losses f;
        const auto hook = f.hook(one.events, one.client);
        f.sent(1);
        f.sent(2, f.of_client("billing"));
        f.keep(f.inbound("hello"));
        f.clock.advance(1h);
        f.remove_old();
        CHECK(f.lost(hook.id) == one.lost);
    }
}

TEST_CASE("webhook losses: events that go before their message are counted once") {
    Losses f;
    const auto hook = f.hook({"message.*"});
    f.sent(1);
    const WallTime between = f.clock.wall() + 30min;
    f.clock.advance(1h);
    REQUIRE(f.keep(f.report(1)));
    f.clock.advance(1h);
    REQUIRE(f.ask(ports::RemoveOld{between, between, 100}));
    // Sending and sent: the message stays, and its first event with it.
    CHECK(f.lost(hook.id) == 2);
    f.remove_old();
    CHECK(f.lost(hook.id) == 4);
}

TEST_CASE("webhook losses: what the webhook has passed is no loss") {
    Losses f;
    f.sent(1);
    const auto hook = f.hook({"message.*"});  // it begins behind
    const MessageId last = f.accepted();
    REQUIRE(f.ask(ports::StageDeliveries{hook.id, {}, EventSeq{last.value}, f.clock.wall()}));
    f.clock.advance(1h);
    f.remove_old();
    CHECK(f.lost(hook.id) == 0);
}

TEST_CASE("webhook losses: they are counted from the first one until the webhook is switched on") {
    Losses f;
    const auto hook = f.hook({"message.sent"});
    f.sent(1);
    f.clock.advance(1h);
    f.remove_old();
    const WallTime first = f.clock.wall();
    f.sent(2);
    f.clock.advance(1h);
    f.remove_old();
    f.reopen();
    CHECK(f.hook({"message.sent"}).loss.events == 2);
    CHECK(f.hook({"message.sent"}).loss.since == first);
    REQUIRE(f.ask(ports::KeepWebhookLife{.webhook = hook.id, .hurry = f.clock.wall()}));
    CHECK(f.lost(hook.id) == 0);
}

TEST_CASE("webhooks: one that wants more after a kill is not sent what it had skipped") {
    WebhookRig rig({.name = "crm", .url = "https://crm.example/", .events = {"message.failed"}});
    REQUIRE(rig.settle());
    for (int i = 0; i < 5; ++i) {
        rig.send_message();
    }
    REQUIRE(rig.work(2));
    rig.kill(WebhookRig::usual());
    const MessageId later = rig.send_message();
    REQUIRE(rig.work(5));
    REQUIRE_FALSE(rig.receiver.delivered.empty());
    CHECK(rig.receiver.delivered.begin()->value == later.value);
    CHECK(rig.receiver.delivered.size() == 3);
}

TEST_CASE("webhooks: one that wants less after a kill is still sent what waits for it") {
    WebhookRig rig;
    REQUIRE(rig.settle());
    rig.send_message();
    rig.kill({.name = "crm", .url = "https://crm.example/", .events = {"message.sent"}});
    REQUIRE(rig.work(5));
    const auto events = rig.events_of_messages();
    CHECK(rig.receiver.delivered.contains(*events.rbegin()));
}
