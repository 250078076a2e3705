#include "src/webhook/webhooks.hpp"

#include "src/api/webhooks/delivery_body.hpp"
#include "src/webhook/config_hash.hpp"
#include "tests/src/api/api_rig.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

namespace smsrack::test {
namespace {

/// Has what the test puts into it, and answers at once.
class FakeWebhookStore final : public ports::WebhookStore, public ports::WebhookReader {
public:
    [[nodiscard]] Result<std::vector<ports::DeliveryRow>> deliveries(
        const ports::DeliveryFilter& asked) override {
        filter = asked;
        return rows;
    }
    [[nodiscard]] Result<ports::DeliveryCounts> counts(ports::WebhookId, std::size_t) override {
        return numbers;
    }

    std::vector<ports::Delivery> due;
    std::vector<ports::DeliveryRow> rows;
    ports::DeliveryFilter filter;
    ports::DeliveryCounts numbers;
    std::vector<ports::EndAttempts::End> ends;
    std::optional<ports::WebhookState> kept_state;
    bool broken = false;

private:
    void take(Call&& call) override {
        std::visit([this](auto& posted) { answer(posted); }, call);
    }
    void read(Job job) override { job(this); }

    void answer(ports::Posted<ports::KeepWebhooks>& posted) {
        std::vector<ports::WebhookRow> found;
        for (const auto& wish : posted.command.wishes) {
            found.push_back({.id = ports::WebhookId{7}, .name = wish.name});
        }
        posted.answer(found);
    }
    void answer(ports::Posted<ports::StageDeliveries>& posted) { posted.answer({}); }
    void answer(ports::Posted<ports::ReadDueDeliveries>& posted) {
        posted.answer(ports::DueDeliveries{.due = due});
    }
    void answer(ports::Posted<ports::ReadDeliveries>& posted) {
        posted.answer(std::vector<ports::Delivery>());
    }
    void answer(ports::Posted<ports::EndAttempts>& posted) {
        if (broken) {
            return posted.answer(fail(Errc::storage, "disk I/O error"));
        }
        std::vector<EventSeq> expected;
        for (const auto& end : posted.command.ends) {
            ends.push_back(end);
            expected.push_back(end.event);
            std::erase_if(due, [&](const auto& one) { return one.what.event == end.event; });
        }
        posted.answer(expected);
    }
    void answer(ports::Posted<ports::KeepWebhookLife>& posted) {
        kept_state = posted.command.life.state;
        posted.answer({});
    }
    void answer(ports::Posted<ports::ReplayDeliveries>& posted) {
        posted.answer(posted.command.deliveries.size());
    }
    void answer(ports::Posted<ports::ReviveDeliveries>& posted) { posted.answer(3U); }
};

struct WebhookApi : ApiRig {
    WebhookApi() {
        hooks.start();
        settle();
    }
    Responder by_gate(const std::string& call, const std::string& body) {
        return send(gate, "POST", "/v1/webhooks/crm/" + call, body);
    }
    Responder send(const wire::Peer& peer, const std::string& method, const std::string& path,
                   const std::string& body = {}, std::vector<wire::HeaderField> headers = {}) {
        auto responder = std::make_shared<FakeResponder>();
        responders.push_back(responder);
        wire::HttpRequest request = request_of(method, path, std::move(headers));
        request.body = body;
        request.peer = &peer;
        responder->route = api::find_route(request.method, request.path).route;
        with_hooks.handle(std::move(request), responder);
        settle();
        return responder;
    }
    [[nodiscard]] std::string take_body(const std::string& more = "\"room\":4") const {
        return R"({"gate":"0123456789abcdef","config":")" + webhook::config_hash(settings) + "\"," +
               more + "}";
    }
    static ports::Delivery delivery(std::int64_t event) {
        return {.what = {.event = EventSeq{event},
                         .type = "message.sent",
                         .at = WallTime{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)},
                         .body = R"({"type":"message.sent"})"},
                .attempts = 1,
                .tries = 1};
    }

    const wire::Peer root{.uid = 0, .known = true};
    const wire::Peer gate{.uid = gate_uid, .gid = gate_uid, .groups = {993}, .known = true};
    const config::WebhookSettings settings{
        .name = "crm", .url = "https://crm.example/hook?key=1", .events = {"message.*"}};
    FakeWebhookStore hook_store;
    SeededRandom random{1};
    webhook::WebhookBoard board;
    webhook::Webhooks hooks{
        {settings},
        {.store = hook_store,
         .log = static_cast<ports::Store&>(store),
         .stream = events,
         .loop = loop,
         .clock = clock,
         .random = random,
         .build = [](ports::StoreReader&, const Event& event, bool) -> Result<ports::NewDelivery> {
             return ports::NewDelivery{.event = event.seq, .type = event_name(event), .body = "{}"};
         },
         .by = [](SteadyTime) {}},
        events,
        board};
    api::ApiParts all_parts() {
        api::ApiParts all = parts();
        return {.intake = all.intake,
                .store = all.store,
                .rack = all.rack,
                .orders = all.orders,
                .events = all.events,
                .stats = all.stats,
                .loop = all.loop,
                .clock = all.clock,
                .errors = all.errors,
                .rack_store = all.rack_store,
                .control = all.control,
                .clients = all.clients,
                .front_ends = all.front_ends,
                .audit = all.audit,
                .tokens = &tokens,
                .webhooks = &hooks};
    }
    api::Api with_hooks{all_parts(),
                        {.version = "1", .access = {.own_uid = 990, .gate = gate_uid}}};
};

}  // namespace

TEST_CASE("webhooks/take: what is due, as the gate sends it; a second take ends the first") {
    WebhookApi rig;
    const auto first = rig.by_gate("take", rig.take_body());
    CHECK_FALSE(first->answered);  // nothing yet
    const auto second = rig.by_gate("take", rig.take_body());
    CHECK(first->answer.status == 409);
    CHECK(first->json().at("code") == "superseded");
    rig.hook_store.due = {WebhookApi::delivery(17)};
    const auto third = rig.by_gate("take", rig.take_body());
    CHECK(second->json().at("code") == "superseded");
    // The store is asked again when something was written.
    CHECK(rig.by_gate("results", R"({"gate":"0123456789abcdef","results":[]})")->answer.status ==
          204);
    REQUIRE(third->answered);
    const auto json = third->json();
    CHECK(json.at("state") == "open");
    CHECK(json.at("parallel") == 4);
    CHECK(json.at("pause_ms") == 0);
    REQUIRE(json.at("deliveries").size() == 1);
    const auto& one = json.at("deliveries")[0];
    CHECK(one.at("event") == "17");
    CHECK(one.at("attempt") == 2);
    CHECK(one.at("type") == "message.sent");
    CHECK(one.at("timestamp") == "2026-11-21T00:00:00.000Z");
    CHECK(one.at("body") == R"({"type":"message.sent"})");
    // It is in flight; the result ends it.
    const auto results = rig.by_gate("results", R"({"gate":"0123456789abcdef","results":[
        {"event":"17","attempt":2,"at":"2026-11-21T00:00:01.000Z","ms":12,"status":204}]})");
    CHECK(results->answer.status == 204);
    REQUIRE(rig.hook_store.ends.size() == 1);
    CHECK(rig.hook_store.ends[0].state == ports::DeliveryState::delivered);
    CHECK(rig.hook_store.ends[0].attempt.took == 12ms);
}

TEST_CASE("webhooks/take: a gate with other settings, and calls that are not understood") {
    WebhookApi rig;
    const auto other = rig.by_gate("take", R"({"gate":"1","config":"other","room":1})");
    CHECK(other->answer.status == 409);
    CHECK(other->json().at("code") == "webhook_config");
    for (const char* const bad :
         {"", "[]", "{}", R"({"gate":"","config":"x"})", R"({"gate":"1","config":2})",
          R"({"gate":"1","config":"x","room":-1})", R"({"gate":"1","config":"x","holding":{}})",
          R"({"gate":"1","config":"x","holding":["x"]})"}) {
        CAPTURE(bad);
        CHECK(rig.by_gate("take", bad)->answer.status == 400);
    }
    for (const char* const bad :
         {"", R"({"results":{}})", R"({"results":[1]})", R"({"results":[{"event":"1"}]})",
          R"({"results":[{"event":"1","attempt":1,"at":"x"}]})",
          R"({"results":[{"event":"1","attempt":0,"at":"2026-11-21T00:00:00Z"}]})",
          R"({"results":[{"event":"1","attempt":1,"at":"2026-11-21T00:00:00Z","status":-1}]})",
          R"({"tests":[1]})", R"({"tests":[{"test":1}]})"}) {
        CAPTURE(bad);
        CHECK(rig.by_gate("results", bad)->answer.status == 400);
    }
    CHECK(rig.send(rig.gate, "POST", "/v1/webhooks/none/take", rig.take_body())->answer.status ==
          404);
}

TEST_CASE("webhooks/take: for the gate and local administrators alone, and never audited") {
    WebhookApi rig;
    for (const char* const call : {"take", "results"}) {
        CAPTURE(call);
        const std::string path = "/v1/webhooks/none/" + std::string(call);
        CHECK(rig.send(rig.gate, "POST", path, "{}")->answer.status == 404);
        CHECK(rig.send(rig.root, "POST", path, "{}")->answer.status == 404);
        CHECK(rig.send(rig.sender, "POST", path, "{}")->answer.status == 403);
        CHECK(rig.send(rig.gate, "POST", path, "{}", {{"smsrack-token", "-"}})->answer.status ==
              401);
    }
    CHECK(rig.audit.rows.empty());
    CHECK(rig.send(rig.gate, "POST", "/v1/webhooks/crm/off")->answer.status == 401);
    CHECK(rig.send(rig.sender, "POST", "/v1/webhooks/crm/off")->answer.status == 403);
}

TEST_CASE("webhooks/results: what the disk refuses is refused, and may be given again") {
    WebhookApi rig;
    rig.hook_store.due = {WebhookApi::delivery(17)};
    const auto take = rig.by_gate("take", rig.take_body());
    CHECK(rig.by_gate("results", "{}")->answer.status == 204);
    REQUIRE(take->answered);
    const char* const results =
        R"({"results":[{"event":"17","attempt":2,"at":"2026-11-21T00:00:01Z","ms":1,"status":500}]})";
    rig.hook_store.broken = true;
    CHECK(rig.by_gate("results", results)->answer.status == 507);
    rig.hook_store.broken = false;
    CHECK(rig.by_gate("results", results)->answer.status == 204);
    REQUIRE(rig.hook_store.ends.size() == 1);
    CHECK(rig.hook_store.ends[0].state == ports::DeliveryState::waiting);
}

TEST_CASE("GET /v1/webhooks: state and what waits; without a webhook an empty list") {
    WebhookApi rig;
    rig.hook_store.numbers = {.waiting = 5,
                              .dead = 2,
                              .oldest = rig.clock.wall(),
                              .loss = {.events = 9, .since = rig.clock.wall()}};
    rig.clock.advance(3s);
    const auto list = rig.send(rig.root, "GET", "/v1/webhooks")->json();
    REQUIRE(list.at("webhooks").size() == 1);
    const auto& one = list.at("webhooks")[0];
    CHECK(one.at("name") == "crm");
    CHECK(one.at("url") == "https://crm.example/hook?...");
    CHECK(one.at("state") == "open");
    CHECK(one.at("waiting") == 5);
    CHECK(one.at("dead") == 2);
    CHECK(one.at("lost") == 9);
    CHECK(one.at("lost_since") == one.at("oldest"));
    CHECK(one.at("p50_ms").is_null());
    CHECK(rig.done("GET", "/v1/webhooks")->json().at("webhooks").empty());
    const std::string metrics = rig.send(rig.root, "GET", "/metrics")->answer.body;
    CHECK(metrics.contains("smsrack_webhook_waiting{webhook=\"crm\"} 5\n"));
    CHECK(metrics.contains("smsrack_webhook_lost{webhook=\"crm\"} 9\n"));
    CHECK(metrics.contains(
        "smsrack_webhook_deliveries_total{webhook=\"crm\",result=\"delivered\"} 0\n"));
    CHECK(metrics.contains("smsrack_webhook_seconds_count{webhook=\"crm\"} 0\n"));
    CHECK_FALSE(rig.done("GET", "/metrics")->answer.body.contains("smsrack_webhook"));
}

TEST_CASE("GET /v1/webhooks/{name}/deliveries: filters reach the store, attempts are shown") {
    WebhookApi rig;
    rig.hook_store.rows = {{.event = EventSeq{17},
                            .thing = ports::ThingId{9},
                            .state = ports::DeliveryState::dead,
                            .type = "message.sent",
                            .at = rig.clock.wall(),
                            .attempts = 1,
                            .made = {{.attempt = 1, .at = rig.clock.wall(), .status = 500}}}};
    const auto page = rig.send(rig.root, "GET",
                               "/v1/webhooks/crm/"
                               "deliveries?state=dead&event=17&message=9&since=2026-01-01T00:00:"
                               "00Z&limit=1&cursor=99")
                          ->json();
    CHECK(rig.hook_store.filter.state == ports::DeliveryState::dead);
    CHECK(rig.hook_store.filter.event == EventSeq{17});
    CHECK(rig.hook_store.filter.thing == ports::ThingId{9});
    CHECK(rig.hook_store.filter.before == EventSeq{99});
    CHECK(rig.hook_store.filter.limit == 2);
    CHECK(page.at("next").is_null());
    const auto& one = page.at("deliveries")[0];
    CHECK(one.at("event") == "17");
    CHECK(one.at("message") == "9");
    CHECK(one.at("attempts")[0].at("status") == 500);
    CHECK(one.at("attempts")[0].at("error").is_null());
    for (const char* const bad : {"state=lost", "event=x", "message=-1", "until=2026-01-01"}) {
        CAPTURE(bad);
        CHECK(rig.send(rig.root, "GET", "/v1/webhooks/crm/deliveries?" + std::string(bad))
                  ->answer.status == 400);
    }
}

TEST_CASE("webhooks/replay, open, off: what an operator orders, and what is not understood") {
    WebhookApi rig;
    const auto replay = [&](const char* body) {
        return rig.send(rig.root, "POST", "/v1/webhooks/crm/replay", body);
    };
    CHECK(replay(R"({"state":"dead"})")->answer.status == 202);
    CHECK(replay(R"({"state":"dead"})")->json().at("events") == 3);
    for (const char* const bad :
         {"", "{}", R"({"state":"waiting"})", R"({"event":"x"})", R"({"since":"x"})",
          R"({"until":"2026-01-01T00:00:00Z"})", R"({"event":"1","state":"dead"})",
          R"({"event":1})", R"({"other":"1"})"}) {
        CAPTURE(bad);
        CHECK(replay(bad)->answer.status == 400);
    }
    CHECK(replay(R"({"event":"99"})")->answer.status == 404);
    CHECK(rig.send(rig.root, "POST", "/v1/webhooks/crm/off")->json().at("state") == "off");
    CHECK(rig.hook_store.kept_state == ports::WebhookState::off);
    CHECK(rig.send(rig.root, "POST", "/v1/webhooks/crm/open")->json().at("state") == "open");
    CHECK(rig.hook_store.kept_state == ports::WebhookState::open);
    CHECK(rig.audit.rows.size() >= 4);
}

TEST_CASE("webhooks/test: goes to the gate, and its answer to the caller") {
    WebhookApi rig;
    const auto take = rig.by_gate("take", rig.take_body("\"room\":0"));
    const auto test = rig.send(rig.root, "POST", "/v1/webhooks/crm/test");
    CHECK_FALSE(test->answered);
    REQUIRE(take->answered);
    REQUIRE(take->json().at("tests").size() == 1);
    const std::string id = take->json().at("tests")[0].at("test");
    CHECK(rig.by_gate("results", R"({"gate":"0123456789abcdef","tests":[{"test":")" + id +
                                     R"(","address":"192.0.2.1:443","tls":"TLSv1.3","status":204,)"
                                     R"("ms":9}]})")
              ->answer.status == 204);
    REQUIRE(test->answered);
    CHECK(test->json().at("ok") == true);
    CHECK(test->json().at("address") == "192.0.2.1:443");
    CHECK(test->json().at("ms") == 9);
}

TEST_CASE("webhooks: an event is sent with its message, whose history is not read for it") {
    WebhookApi rig;
    rig.store.reader.detail.message = {.id = MessageId{12}, .ref = "order-7"};
    const auto made = api::delivery_of(
        rig.store.reader,
        {.seq = EventSeq{13}, .message = MessageId{12}, .state = MessageState::sent}, true,
        error_table);
    REQUIRE(made);
    CHECK(made->body.contains("order-7"));
    CHECK(rig.store.reader.histories_read == 0);
}

TEST_CASE("webhooks: a take and a test that another process resumes are answered at once") {
    WebhookApi rig;
    for (const auto& [mark, word] :
         {std::pair("webhook-take", "deliveries"), std::pair("webhook-test", "test again")}) {
        CAPTURE(mark);
        const auto responder = std::make_shared<FakeResponder>();
        (void)rig.with_hooks.resume(mark, rig.gate, responder);
        CHECK(responder->answer.status == 200);
        CHECK(responder->answer.body.contains(word));
    }
}

TEST_CASE("Clients: a name that belongs to a webhook is refused") {
    ApiRig rig;
    CHECK(rig.done("POST", "/v1/messages",
                   R"({"to":"+33612345678","text":"x","client":"webhook.crm"})")
              ->answer.status == 400);
    CHECK(rig.done("GET", "/v1/events?client=webhook.crm")->answer.status == 400);
}

}  // namespace smsrack::test
