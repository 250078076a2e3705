// The fleet as the API shows it, and what administrators order.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// A fleet as the test says it is; answers at once.
class FakeFleet final : public ports::FleetControl {
public:
    [[nodiscard]] ports::FleetFacts facts() const override { return now; }
    [[nodiscard]] std::string name_of(BoxNumber box) const override {
        return box == BoxNumber{} ? "b1" : "b" + std::to_string(box.value);
    }
    void set_life(std::string name, ports::BoxLife life, ports::Done<void> done) override {
        orders.emplace_back(std::move(name), life);
        done(answer);
    }
    void declare_dead(std::string name, bool unfenced, ports::Done<bool> done) override {
        orders.emplace_back(std::move(name), ports::BoxLife::dead);
        done(answer ? Result<bool>(!unfenced) : std::unexpected(answer.error()));
    }
    void rebuild(ports::Done<void> done) override {
        ++rebuilds;
        done(answer);
    }
    void upgrade(std::string name, ports::UpgradeOrder order, bool again,
                 ports::Done<void> done) override {
        repeats += again ? 1 : 0;
        upgrades.emplace_back(std::move(name), std::move(order));
        done(answer);
    }
    void check(ports::Done<std::vector<ports::EngineFact>> done) override {
        done(std::vector<ports::EngineFact>{
            {.name = "synchronous_commit", .value = "on"},
            {.name = "standby", .value = "0", .good = false, .advice = "add one"}});
    }
    void ask(std::string box, ports::BoxQuestion question, ports::BoxAsker by,
             ports::Done<ports::BoxAnswer> done) override {
        asked.emplace_back(std::move(box), std::move(question));
        asker = std::move(by);
        done(said);
    }
    void cancel(MessageId message, ports::Done<MessageState> done) override {
        cancelled.push_back(message);
        done(cancel_answer);
    }
    void follow_rules(ports::Done<Kept> done) override { done(rules_kept); }

    ports::FleetFacts now{
        .name = "b1",
        .box = BoxNumber{1},
        .epoch = Epoch{7},
        .seat = "seated",
        .may_begin = true,
        .lease = 15'000ms,
        .two_disks = true,
        .waiting = 12,
        .boxes = {{.row = {.box = BoxNumber{1},
                           .name = "b1",
                           .epoch = Epoch{7},
                           .report = {.version = "1.0", .modems = 8, .messages_per_s = 1.23456},
                           .held = 2,
                           .firm = 40},
                   .is_self = true},
                  {.row = {.box = BoxNumber{2}, .name = "b2", .firm = 3}, .silent = 20'000ms},
                  {.row = {.box = BoxNumber{3}, .name = "b3", .life = ports::BoxLife::draining}}}};
    Result<> answer = {};
    Result<MessageState> cancel_answer = MessageState::cancelled;
    Kept rules_kept = Kept::cluster;
    std::vector<std::pair<std::string, ports::BoxLife>> orders = {};
    std::vector<MessageId> cancelled = {};
    std::vector<std::pair<std::string, ports::BoxQuestion>> asked = {};
    ports::BoxAsker asker = {};
    Result<ports::BoxAnswer> said = ports::BoxAnswer{.body = R"({"messages":[],"next":null})"};
    int rebuilds = 0;
    int repeats = 0;
    std::vector<std::pair<std::string, ports::UpgradeOrder>> upgrades = {};
};

}  // namespace

TEST_CASE("GET /v1/cluster: a box without [cluster] is in no fleet") {
    test::ApiRig rig;
    const auto alone = rig.done("GET", "/v1/cluster")->json();
    CHECK(alone["joined"] == false);
    CHECK(alone.size() == 1);
    CHECK(rig.done("GET", "/v1/cluster/boxes")->answer.status == 404);
    CHECK(rig.done("GET", "/v1/cluster/check")->answer.status == 404);
    CHECK(rig.done("POST", "/v1/cluster/boxes/b2/drain")->answer.status == 404);
    CHECK_FALSE(rig.done("GET", "/v1/status")->json().contains("cluster"));
}

TEST_CASE("GET /v1/cluster: what a box sees of its fleet") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    const auto shown = rig.done("GET", "/v1/cluster")->json();
    CHECK(shown["joined"] == true);
    CHECK(shown["kept"] == "cluster");
    CHECK(shown["away_s"].is_null());
    CHECK(shown["waiting"] == 12);
    CHECK(rig.done("GET", "/v1/status")->json()["cluster"] == shown);
    fleet.now.two_disks = false;
    CHECK(rig.done("GET", "/v1/cluster")->json()["kept"] == "one_disk");
    fleet.now.away = 3'700ms;
    fleet.now.trouble = "connection refused";
    CHECK(rig.done("GET", "/v1/cluster")->json()["kept"] == "here");
    CHECK(rig.done("GET", "/v1/cluster")->json()["away_s"] == 3);
    CHECK(rig.done("GET", "/v1/cluster")->json()["trouble"] == "connection refused");
}

TEST_CASE("GET /v1/cluster: boxes as nodes of the scaling policy") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    CHECK(rig.done("GET", "/v1/cluster")->json()["scaling"]["enabled"] == false);
    CHECK_FALSE(rig.done("GET", "/metrics")->answer.body.contains("smsrack_cluster_decisions"));
    fleet.now.scaling = {.enabled = true,
                         .can_order = true,
                         .nodes = 2,
                         .n_min = 2,
                         .n_max = 3,
                         .load = 1.23456,
                         .decisions = 4,
                         .decision = "3 -> 2; drained: b3",
                         .decided_by = "b2",
                         .trouble = "b3 could not be parked"};
    fleet.now.boxes[2].stays = "reports";
    const auto scaling = rig.done("GET", "/v1/cluster")->json()["scaling"];
    CHECK(scaling["nodes"] == 2);
    CHECK(scaling["load"] == 1.235);
    CHECK(scaling["node_rate"].is_null());
    CHECK(scaling["decision"] == "3 -> 2; drained: b3");
    CHECK(scaling["decided_by"] == "b2");
    CHECK(scaling["trouble"] == "b3 could not be parked");
    const auto boxes = rig.done("GET", "/v1/cluster/boxes")->json()["boxes"];
    CHECK(boxes[1]["stays"].is_null());
    CHECK(boxes[2]["stays"] == "reports");
    const std::string metrics = rig.done("GET", "/metrics")->answer.body;
    CHECK(metrics.contains("smsrack_cluster_scaling_nodes 2\n"));
    CHECK(metrics.contains("smsrack_cluster_decisions 4\n"));
    CHECK(metrics.contains("smsrack_cluster_power_trouble 1\n"));
}

TEST_CASE("GET /v1/cluster/boxes: each box, and which is silent") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    const auto boxes = rig.done("GET", "/v1/cluster/boxes")->json()["boxes"];
    REQUIRE(boxes.size() == 3);
    CHECK(boxes[0]["self"] == true);
    CHECK(boxes[0]["state"] == "running");
    CHECK(boxes[0]["messages_per_s"] == 1.235);
    CHECK(boxes[0]["firm"] == 40);
    CHECK(boxes[1]["state"] == "silent");
    CHECK(boxes[1]["silent_s"] == 20);
    CHECK(boxes[2]["state"] == "draining");
}

TEST_CASE("GET /v1/cluster/check: what the promises presume, and what to do") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    const auto check = rig.done("GET", "/v1/cluster/check")->json();
    CHECK(check["good"] == false);
    CHECK(check["facts"][0]["good"] == true);
    CHECK(check["facts"][1]["advice"] == "add one");
}

TEST_CASE(
    "POST /v1/cluster/boxes/{name}: an administrator changes the life of a box that is there") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    for (const auto& [word, life] :
         {std::pair("drain", ports::BoxLife::draining),
          std::pair("resume", ports::BoxLife::running), std::pair("dead", ports::BoxLife::dead),
          std::pair("leave", ports::BoxLife::left)}) {
        CAPTURE(word);
        const auto answer = rig.done("POST", std::string("/v1/cluster/boxes/b2/") + word);
        CHECK(answer->answer.status == 200);
        CHECK(fleet.orders.back() == std::pair(std::string("b2"), life));
    }
    CHECK(rig.done("POST", "/v1/cluster/boxes/b9/drain")->answer.status == 404);
    CHECK(fleet.orders.size() == 4);
    fleet.answer = fail(Errc::conflict, "the box has 3 messages");
    CHECK(rig.done("POST", "/v1/cluster/boxes/b2/leave")->answer.status == 409);
    CHECK(rig.done_by(rig.sender, "POST", "/v1/cluster/boxes/b2/drain")->answer.status == 403);
}

TEST_CASE(
    "POST /v1/cluster/boxes/{name}/dead: says whether the box was fenced, or why it was not") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    const std::string dead = "/v1/cluster/boxes/b2/dead";
    CHECK(rig.done("POST", dead)->json()["fenced"] == true);
    CHECK(rig.done("POST", dead + "?unfenced=true")->json()["fenced"] == false);
    CHECK(rig.done("POST", dead + "?unfenced=perhaps")->answer.status == 400);
    CHECK(rig.done("POST", dead + "?other=true")->answer.status == 400);
    fleet.answer = fail(Errc::conflict, "b2 could not be fenced");
    const auto refused = rig.done("POST", dead);
    CHECK(refused->answer.status == 409);
    CHECK(refused->answer.body.contains("could not be fenced"));
    CHECK(rig.done("POST", "/v1/cluster/boxes/b9/dead")->answer.status == 404);
}

TEST_CASE(
    "POST /v1/cluster/boxes/{name}/upgrade: the box hands over to a program of its own disk") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    const std::string path = "/v1/cluster/boxes/b2/upgrade";
    const std::string body = R"({"binary":"/opt/smsrackd","hash":"00ff","yes":true})";
    CHECK(rig.done("POST", path, body)->json()["ordered"] == true);
    REQUIRE(fleet.upgrades.size() == 1);
    CHECK(fleet.upgrades[0].first == "b2");
    CHECK(fleet.upgrades[0].second.binary == "/opt/smsrackd");
    CHECK(fleet.upgrades[0].second.hash == "00ff");
    CHECK(fleet.upgrades[0].second.agreed);
    CHECK(rig.done("POST", path, R"({"binary":"/opt/smsrackd"})")->answer.status == 400);
    CHECK(rig.done("POST", path, R"({"binary":"smsrackd","hash":"00ff"})")->answer.status == 400);
    CHECK(rig.done("POST", "/v1/cluster/boxes/b9/upgrade", body)->answer.status == 404);
    CHECK(rig.done_by(rig.sender, "POST", path, body)->answer.status == 403);
    CHECK(rig.done("POST", path + "?again=perhaps", body)->answer.status == 400);
    CHECK(fleet.upgrades.size() == 1);
    CHECK(fleet.repeats == 0);
    CHECK(rig.done("POST", path + "?again=true", body)->answer.status == 200);
    CHECK(fleet.repeats == 1);
    fleet.answer = fail(Errc::conflict, "b2 does not run");
    CHECK(rig.done("POST", path, body)->answer.status == 409);
}

TEST_CASE("GET /v1/cluster/boxes: a box that was ordered to hand over, and did not, says why") {
    FakeFleet fleet;
    fleet.now.boxes[1].not_upgraded = "another file";
    fleet.now.boxes[2].program = "00ff";
    test::ApiRig rig(&fleet);
    const auto boxes = rig.done("GET", "/v1/cluster/boxes")->json()["boxes"];
    CHECK(boxes[0]["not_upgraded"].is_null());
    CHECK(boxes[1]["not_upgraded"] == "another file");
    CHECK(boxes[1]["program"].is_null());
    CHECK(boxes[2]["program"] == "00ff");
}

TEST_CASE("orders that all boxes obey: the answer says whether the engine has them") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    struct Order {
        const char* method;
        const char* target;
        const char* body;
    };
    for (const Order& order : {Order{"POST", "/v1/pause", ""}, Order{"POST", "/v1/resume", ""},
                               Order{"POST", "/v1/optouts", R"({"number":"+33612345678"})"},
                               Order{"DELETE", "/v1/optouts/+33612345678", ""},
                               Order{"DELETE", "/v1/batches/spring", ""}}) {
        CAPTURE(order.target);
        fleet.rules_kept = Kept::cluster;
        CHECK(rig.done(order.method, order.target, order.body)->json()["kept"] == "cluster");
        fleet.rules_kept = Kept::here;
        CHECK(rig.done(order.method, order.target, order.body)->json()["kept"] == "here");
        test::ApiRig alone;
        CHECK_FALSE(alone.done(order.method, order.target, order.body)->json().contains("kept"));
    }
    rig.control.answer = fail(Errc::not_found, "no message has the batch spring");
    const auto unknown = rig.done("DELETE", "/v1/batches/spring");
    CHECK(unknown->answer.status == 404);
    CHECK(unknown->answer.body.contains("create=true"));
    (void)rig.done("DELETE", "/v1/batches/spring?create=true");
    CHECK(rig.control.asked.back() == "create and cancel spring");
    CHECK(rig.done("DELETE", "/v1/batches/spring?create=maybe")->answer.status == 400);
    CHECK(rig.done("DELETE", "/v1/batches/spring?other=1")->answer.status == 400);
}

TEST_CASE("GET /metrics: the fleet's figures are there where there is a fleet") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    const std::string text = rig.done("GET", "/metrics")->answer.body;
    CHECK(text.contains("smsrack_cluster_seated 1\n"));
    CHECK(text.contains("smsrack_cluster_waiting 12\n"));
    CHECK(text.contains("smsrack_cluster_boxes 1\n"));
    CHECK(text.contains("smsrack_cluster_firm 40\n"));
    test::ApiRig alone;
    CHECK_FALSE(alone.done("GET", "/metrics")->answer.body.contains("smsrack_cluster"));
}

TEST_CASE("API: an administrator lets all boxes put back what they have, and sees which have not") {
    FakeFleet fleet;
    fleet.now.boxes[1].row.has_put_back = false;
    test::ApiRig rig(&fleet);
    const auto ordered = rig.call("POST", "/v1/cluster/rebuild");
    rig.settle();
    CHECK(ordered->answer.status == 200);
    CHECK(fleet.rebuilds == 1);
    const auto boxes = rig.call("GET", "/v1/cluster/boxes");
    rig.settle();
    const auto json = wire::Json::parse(boxes->answer.body);
    CHECK(json["boxes"][0]["put_back"] == true);
    CHECK(json["boxes"][1]["put_back"] == false);
    fleet.answer = fail(Errc::conflict, "another epoch");
    const auto refused = rig.call("POST", "/v1/cluster/rebuild");
    rig.settle();
    CHECK(refused->answer.status == 409);
}

TEST_CASE("API: without a fleet there is nothing to put back") {
    test::ApiRig rig;
    const auto answer = rig.call("POST", "/v1/cluster/rebuild");
    rig.settle();
    CHECK(answer->answer.status == 404);
}

using Params = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("GET ...?box=: another box answers, and its answer is handed on") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    CHECK(rig.done("GET", "/v1/messages?state=failed&box=b2&limit=9")->answer.body ==
          R"({"messages":[],"next":null})");
    REQUIRE(fleet.asked.size() == 1);
    CHECK(fleet.asked[0].first == "b2");
    CHECK(fleet.asked[0].second.path == "/v1/messages");
    CHECK(fleet.asked[0].second.params == Params{{"state", "failed"}, {"limit", "9"}});
    CHECK_FALSE(fleet.asked[0].second.masked);
    CHECK(fleet.asker.is_admin);
    CHECK_FALSE(fleet.asker.name.empty());

    // A page is small; what is no page has no limit.
    CHECK(rig.done("GET", "/v1/conversations?box=b2&limit=1000")->answer.status == 200);
    CHECK(fleet.asked[1].second.params == Params{{"limit", "25"}});
    fleet.asked.pop_back();
    CHECK(rig.done("GET", "/v1/inbox?box=b2")->answer.status == 200);
    CHECK(fleet.asked[1].second.params == Params{{"limit", "25"}});
    CHECK(rig.done("GET", "/v1/messages/42?box=b2")->answer.status == 200);
    CHECK(fleet.asked[2].second.path == "/v1/messages/42");
    CHECK(fleet.asked[2].second.params.empty());

    fleet.said = ports::BoxAnswer{.status = 404, .body = R"({"status":404})"};
    const auto refused = rig.done("GET", "/v1/messages/42?box=b2");
    CHECK(refused->answer.status == 404);
    CHECK(refused->answer.content_type == "application/problem+json");
    fleet.said = ports::BoxAnswer{.status = 503, .body = {}};
    CHECK(rig.done("GET", "/v1/messages?box=b2")->answer.status == 503);
    fleet.said = fail(Errc::not_found, "no box of the fleet has the name b9");
    CHECK(rig.done("GET", "/v1/messages?box=b9")->answer.status == 404);
}

TEST_CASE("GET ...?box=: this box answers itself; where none can be asked, it is refused") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    CHECK(rig.done("GET", "/v1/messages?box=b1")->json()["messages"].is_array());
    CHECK(rig.done("GET", "/v1/messages?box=b1&box=b2")->answer.status == 400);
    CHECK(rig.done("GET", "/v1/status?box=b2")->answer.status == 400);
    CHECK(fleet.asked.empty());
    CHECK(rig.done("DELETE", "/v1/messages/1?box=b2")->answer.status == 400);
    CHECK(rig.done("GET", "/v1/messages?box=b2&contains=\xFF")->answer.status == 400);
    CHECK(rig.done("GET", "/v1/conversations/\xFF?box=b2")->answer.status == 400);
    CHECK(rig.done("GET", "/v1/messages?box=\xFF")->answer.status == 400);
    CHECK(fleet.asked.empty());
    test::ApiRig alone;
    for (const char* path : {"/v1/messages", "/v1/messages/1", "/v1/messages/1/explain"}) {
        CHECK(alone.done("GET", std::string(path) + "?box=b1")->answer.status == 400);
    }
}

TEST_CASE("GET ...?box=: not for callers that see their own messages alone") {
    FakeFleet fleet;
    test::ApiRig rig(&fleet);
    const auto refused = rig.done_by(rig.sender, "GET", "/v1/messages?box=b2");
    CHECK(refused->answer.status == 403);
    CHECK(refused->answer.body.contains("the box that accepted them"));
    CHECK(fleet.asked.empty());
}

namespace {

struct Questioned {
    test::ApiRig rig;

    ports::BoxAnswer answer(ports::BoxQuestion question) {
        std::optional<ports::BoxAnswer> said;
        rig.api.answer(std::move(question), [&](ports::BoxAnswer is) { said = std::move(is); });
        rig.settle();
        REQUIRE(said);
        return *said;
    }

    /// Ids of all rows, in order; each page is as large as an answer may be.
    std::vector<std::string> ids(const ports::BoxQuestion& of, std::size_t pages_min) {
        std::vector<std::string> found;
        std::size_t pages = 0;
        for (std::string cursor; pages < 1'000; ++pages) {
            ports::BoxQuestion question = of;
            if (!cursor.empty()) {
                question.params.emplace_back("cursor", cursor);
            }
            const auto page = answer(std::move(question));
            CAPTURE(page.body);
            REQUIRE(page.status == 200);
            CHECK(wire::Json(page.body).dump().size() <= ports::box_answer_max + 2);
            const auto json = wire::Json::parse(page.body);
            CHECK_FALSE(json.contains("cut"));
            for (const auto& row : json["messages"]) {
                found.push_back(row["id"]);
            }
            if (json["next"].is_null()) {
                break;
            }
            cursor = json["next"];
        }
        CHECK(pages + 1 >= pages_min);
        return found;
    }
};

}  // namespace

TEST_CASE("a question of another box: answered as a caller that sees all") {
    Questioned other;
    const auto answer = [&other](ports::BoxQuestion question) {
        return other.answer(std::move(question));
    };
    CHECK(answer({.path = "/v1/inbox"}).status == 200);
    CHECK(wire::Json::parse(answer({.path = "/v1/messages"}).body)["messages"].is_array());
    CHECK(answer({.path = "/v1/messages", .params = {{"state", "perhaps"}}}).status == 400);
    CHECK(answer({.path = "/v1/tokens"}).status == 404);
    CHECK(answer({.path = "/v1/config"}).status == 404);
    CHECK(answer({.path = "/nothing"}).status == 404);
    CHECK(answer({.path = "/v1/inbox", .params = {{"q", "336"}}}).status == 200);
    other.rig.store.reader.inbox_rows = {
        {.id = InboxId{1}, .from = "+33612345678", .content = {.text = std::string(500, 'x')}}};
    // For one who sees no number and no text, nor may guess them.
    const auto masked = answer({.path = "/v1/inbox", .params = {{"limit", "5"}}, .masked = true});
    CHECK(masked.status == 200);
    CHECK_FALSE(masked.body.contains("33612345678"));
    CHECK_FALSE(masked.body.contains("xxx"));
    CHECK(answer({.path = "/v1/inbox", .params = {{"q", "336"}}, .masked = true}).status == 403);
}

TEST_CASE("a question of another box: what does not fit into a page is the next one's") {
    Questioned other;
    constexpr std::int64_t rows = 60;
    for (std::int64_t id = 1; id <= rows; ++id) {
        const std::string text(500, id % 2 == 0 ? 'x' : '"');
        other.rig.store.reader.inbox_rows.push_back(
            {.id = InboxId{id}, .from = "+33612345678", .content = {.text = text}});
        ports::MessageRow sent{.id = MessageId{rows + 1 - id}, .to = "+33698765432"};
        sent.body.text = text;
        other.rig.store.reader.message_rows.push_back(std::move(sent));
    }
    other.rig.store.reader.looked_at_max = 1'000;
    struct Row {
        ports::BoxQuestion question;
        std::size_t pages_min;
    };
    const std::vector<Row> table{
        {{.path = "/v1/inbox"}, 5},
        {{.path = "/v1/inbox", .params = {{"q", "33612"}}}, 5},
        {{.path = "/v1/inbox", .masked = true}, 5},
        {{.path = "/v1/messages"}, 2},
        {{.path = "/v1/messages", .params = {{"text", "true"}}}, 5},
        {{.path = "/v1/messages", .params = {{"q", "33698"}}}, 5},
        {{.path = "/v1/messages", .params = {{"details", "true"}}}, 5},
        {{.path = "/v1/conversations/+33698765432"}, 5},
    };
    for (Row row : table) {
        CAPTURE(row.question.path);
        CAPTURE(row.question.params.size());
        row.question.params.emplace_back("limit", "25");
        const auto ids = other.ids(row.question, row.pages_min);
        CHECK(ids.size() == rows);
        CHECK(std::set(ids.begin(), ids.end()).size() == rows);
    }
}

TEST_CASE("a question of another box: of a row that is too large, long strings are cut") {
    Questioned other;
    std::string text;
    while (text.size() < 20'000) {
        text += "é";
    }
    other.rig.store.reader.inbox_rows = {
        {.id = InboxId{1}, .from = "+33612345678", .content = {.text = "a" + text}},
        {.id = InboxId{2}, .from = "+33612345678", .content = {.text = "short"}}};
    for (const char* path : {"/v1/inbox", "/v1/inbox/1"}) {
        const auto answer = other.answer({.path = path});
        CAPTURE(answer.body);
        REQUIRE(answer.status == 200);
        auto json = wire::Json::parse(answer.body);
        CHECK(json["cut"] == true);
        const wire::Json& row = json.contains("messages") ? json["messages"][0] : json;
        CHECK(row["id"] == "1");
        CHECK(row["from"] == "+33612345678");
        CHECK(row["text"] == "a" + text.substr(0, 998) + "…");
    }
    CHECK(other.ids({.path = "/v1/inbox", .params = {{"cursor", "1"}}}, 1) ==
          std::vector<std::string>{"2"});
}
