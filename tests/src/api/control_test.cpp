// What a person decides about messages that wait, and what the rules say, over the API.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime noon = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 12h;

ports::BatchRow batch_row(std::int64_t id, const std::string& name) {
    ports::BatchRow row{.id = BatchId{id}, .name = name, .created_at = noon};
    row.counts.at(static_cast<std::size_t>(MessageState::queued)) = 3;
    row.counts.at(static_cast<std::size_t>(MessageState::sent)) = 4;
    return row;
}

const wire::Peer root{.uid = 0, .known = true};

/// As root.
test::ApiRig::Responder asked(test::ApiRig& rig, const std::string& method, const std::string& path,
                              const std::string& body = {}) {
    auto responder = std::make_shared<test::FakeResponder>();
    wire::HttpRequest request = test::ApiRig::request_of(method, path);
    request.body = body;
    request.peer = &root;
    rig.api.handle(std::move(request), responder);
    rig.settle();
    return responder;
}

}  // namespace

TEST_CASE("POST /v1/pause and /v1/resume: the rack, a group or a batch") {
    struct Row {
        const char* path;
        const char* body;
        const char* asked;
        const char* answer;
    };
    for (const Row& row : {
             Row{"/v1/pause", "", "pause rack ",
                 R"({"scope":"rack","name":null,"paused":true,"changed":true})"},
             Row{"/v1/pause", "{}", "pause rack ",
                 R"({"scope":"rack","name":null,"paused":true,"changed":true})"},
             Row{"/v1/pause", R"({"group":"default"})", "pause group default",
                 R"({"scope":"group","name":"default","paused":true,"changed":true})"},
             Row{"/v1/resume", R"({"batch":"B-1"})", "resume batch B-1",
                 R"({"scope":"batch","name":"B-1","paused":false,"changed":true})"},
             Row{"/v1/resume", R"({"group":"gone"})", "resume group gone",
                 R"({"scope":"group","name":"gone","paused":false,"changed":true})"},
             Row{"/v1/pause", R"({"batch":"B-1"})", "pause batch B-1",
                 R"({"scope":"batch","name":"B-1","paused":true,"changed":true})"},
             Row{"/v1/pause", R"({"batch":"to-come","create":true})", "pause batch to-come",
                 R"({"scope":"batch","name":"to-come","paused":true,"changed":true})"},
         }) {
        test::ApiRig rig;
        rig.store.reader.batch_rows = {batch_row(1, "B-1")};
        rig.rack.rack_status.pauses = {{.scope = ports::PauseScope::group, .name = "gone"}};
        CAPTURE(row.path);
        CAPTURE(row.body);
        const auto answer = asked(rig, "POST", row.path, row.body);
        CHECK(answer->answer.status == 200);
        CHECK(answer->answer.body == row.answer);
        CHECK(rig.control.asked == std::vector<std::string>{row.asked});
    }
}

TEST_CASE("POST /v1/pause: what is not understood is refused by name, and nothing is paused") {
    struct Row {
        const char* body;
        int status;
        const char* detail;
    };
    for (const Row& row : {
             Row{R"({"group":"red"})", 404, "no modem is in the group red; there is default"},
             Row{R"({"batch":"a b"})", 400, "batch: not a label of a batch"},
             Row{R"({"batch":""})", 400, "batch: must be a name"},
             Row{R"({"group":7})", 400, "group: must be a name"},
             Row{R"({"group":"default","batch":"b"})", 400, "group and batch: only one of them"},
             Row{R"({"line":"m0"})", 400, "unknown member: line"},
             Row{R"({"create":true})", 400, "create: only with batch"},
             Row{R"({"batch":"b","create":1})", 400, "create: must be true or false"},
             Row{R"({"batch":"misspelt"})", 404,
                 "no message has the batch misspelt; to pause a batch before its first message, "
                 "say \"create\": true (smsrack pause --batch NAME --create)"},
         }) {
        test::ApiRig rig;
        CAPTURE(row.body);
        const auto answer = asked(rig, "POST", "/v1/pause", row.body);
        CHECK(answer->answer.status == row.status);
        CHECK(answer->json()["detail"] == row.detail);
        CHECK(rig.control.asked.empty());
    }
    test::ApiRig rig;
    rig.store.reader.batch_rows = {batch_row(1, "B")};
    rig.control.answer = fail(Errc::conflict, "batch B was cancelled");
    CHECK(asked(rig, "POST", "/v1/resume", R"({"batch":"B"})")->answer.status == 409);
    // Not an administrator.
    CHECK(rig.done_by(rig.sender, "POST", "/v1/pause")->answer.status == 403);
}

TEST_CASE("POST /v1/resume: a misspelt group or batch is refused, not called resumed") {
    for (const auto& [body, detail] :
         {std::pair(R"({"group":"defualt"})", "no modem is in the group defualt; there is default"),
          std::pair(R"({"batch":"misspelt"})", "no message has the batch misspelt")}) {
        test::ApiRig rig;
        const auto answer = asked(rig, "POST", "/v1/resume", body);
        CHECK(answer->answer.status == 404);
        CHECK(answer->json()["detail"] == detail);
        CHECK(rig.control.asked.empty());
    }
}

TEST_CASE("GET /v1/messages: a misspelt batch or client is refused, not an empty list") {
    test::ApiRig rig;
    rig.store.reader.batch_rows = {batch_row(1, "camp")};
    rig.store.reader.client_rows = {{.id = ClientId{7}, .name = "shop"}};
    CHECK(rig.done("GET", "/v1/messages?batch=camp")->answer.status == 200);
    CHECK(rig.done("GET", "/v1/messages?client=shop")->answer.status == 200);
    const auto batch = rig.done("GET", "/v1/messages?batch=cmap");
    CHECK(batch->answer.status == 404);
    CHECK(batch->json()["detail"] == "no message has the batch cmap");
    CHECK(rig.done("GET", "/v1/messages?client=shpo")->answer.status == 404);
    // A sender learns nothing of a batch that it has no message in.
    CHECK(rig.done_by(rig.sender, "GET", "/v1/messages?batch=camp")->answer.status == 404);
}

TEST_CASE("GET /v1/batches: counts by state, page by page; one by its name") {
    test::ApiRig rig;
    rig.store.reader.batch_rows = {batch_row(3, "c"), batch_row(2, "b"), batch_row(1, "a")};
    rig.store.reader.batch_rows[1].paused_at = noon;
    const auto first = rig.done("GET", "/v1/batches?limit=2")->json();
    REQUIRE(first["batches"].size() == 2);
    CHECK(first["batches"][0]["batch"] == "c");
    CHECK(first["batches"][0]["total"] == 7);
    CHECK(first["batches"][0]["messages"]["queued"] == 3);
    CHECK(first["batches"][1]["paused_since"] == "2026-11-21T12:00:00.000Z");
    CHECK(first["next"] == "2");
    const auto rest = rig.done("GET", "/v1/batches?limit=2&cursor=2")->json();
    REQUIRE(rest["batches"].size() == 1);
    CHECK(rest["next"].is_null());
    CHECK(rig.done("GET", "/v1/batches/b")->json()["batch"] == "b");
    CHECK(rig.done("GET", "/v1/batches/none")->answer.status == 404);
    CHECK(rig.done("GET", "/v1/batches?colour=red")->answer.status == 400);
}

TEST_CASE("DELETE /v1/batches/{name}: taken on, with what is still to be cancelled") {
    test::ApiRig rig;
    const auto answer = rig.done("DELETE", "/v1/batches/B");
    CHECK(answer->answer.status == 202);
    CHECK(answer->json()["cancelling"] == true);
    CHECK(rig.control.asked == std::vector<std::string>{"cancel B"});
    rig.control.answer = fail(Errc::not_found, "no message has the batch B");
    CHECK(rig.done("DELETE", "/v1/batches/B")->answer.status == 404);
}

TEST_CASE("/v1/optouts: listed, added and removed, whatever way the number is written") {
    test::ApiRig rig;
    rig.store.reader.opt_out_rows = {{.number = "+33600000001", .at = noon, .inbox = InboxId{9}},
                                     {.number = "+33600000002", .at = noon}};
    const auto page = rig.done("GET", "/v1/optouts?limit=1")->json();
    REQUIRE(page["optouts"].size() == 1);
    CHECK(page["optouts"][0]["inbox"] == "9");
    CHECK(page["next"] == "+33600000001");
    const auto rest = rig.done("GET", "/v1/optouts?limit=1&cursor=+33600000001")->json();
    CHECK(rest["optouts"][0]["number"] == "+33600000002");
    CHECK(rest["optouts"][0]["inbox"].is_null());
    CHECK(rest["next"].is_null());
    CHECK(rig.done("POST", "/v1/optouts", R"({"number":"06 00 00 00 03"})")->answer.body ==
          R"({"number":"+33600000003","opted_out":true,"changed":true})");
    CHECK(asked(rig, "DELETE", "/v1/optouts/0600000003")->answer.body ==
          R"({"number":"+33600000003","opted_out":false,"changed":true})");
    CHECK(rig.control.asked ==
          std::vector<std::string>{"opt_out +33600000003", "opt_in +33600000003"});
    CHECK(rig.done("POST", "/v1/optouts", R"({"number":"abc"})")->answer.status == 400);
    CHECK(rig.done("POST", "/v1/optouts", "{}")->answer.status == 400);
}

TEST_CASE("a batch on a submit reaches the store, and a wrong one is refused") {
    test::ApiRig rig;
    rig.call("POST", "/v1/messages", R"({"to":"+33612345678","text":"x","batch":"camp.1:a_b-c"})");
    REQUIRE(rig.store.accepting.size() == 1);
    CHECK(rig.store.accepting[0].command.message.batch == "camp.1:a_b-c");
    const std::string too_long(65, 'x');
    for (const std::string& batch :
         {std::string("a b"), std::string("a/b"), std::string("é"), too_long}) {
        CAPTURE(batch);
        const auto answer = rig.done(
            "POST", "/v1/messages", R"({"to":"+33612345678","text":"x","batch":")" + batch + "\"}");
        CHECK(answer->answer.status == 400);
        CHECK(answer->json()["detail"].get<std::string>().starts_with("batch:"));
    }
    rig.store.reader.batch_rows = {batch_row(1, "camp.1:a_b-c")};
    CHECK(rig.done("GET", "/v1/messages?batch=camp.1:a_b-c")->answer.status == 200);
    CHECK(rig.store.reader.last_filter.batch == "camp.1:a_b-c");
}

TEST_CASE("the same ref with another batch is another request") {
    test::ApiRig rig;
    const std::string front = R"({"to":"+33612345678","text":"x","ref":"r")";
    rig.call("POST", "/v1/messages", front + "}");
    rig.call("POST", "/v1/messages", front + R"(,"batch":"a"})");
    rig.call("POST", "/v1/messages", front + R"(,"batch":"b"})");
    REQUIRE(rig.store.accepting.size() == 3);
    const auto fingerprint = [&](std::size_t i) {
        return rig.store.accepting[i].command.message.fingerprint;
    };
    CHECK(fingerprint(0) != fingerprint(1));
    CHECK(fingerprint(1) != fingerprint(2));
}

TEST_CASE("POST /v1/preview: what keeps a message back, by its word") {
    test::ApiRig rig;
    rig.rack.line_views = {{.name = "m1", .group = "default", .link = ports::LinkState::active}};
    const auto preview = [&](const std::string& to, const std::string& more = "") {
        return rig.done("POST", "/v1/preview", R"({"to":")" + to + R"(","text":"x")" + more + "}")
            ->json();
    };
    CHECK(preview("+33612345678")["why"].is_null());
    CHECK(preview("+33612345678")["refused"] == false);

    auto refused = preview("+33899123456");
    CHECK(refused["why"] == "premium");
    CHECK(refused["refused"] == true);
    CHECK(refused["why_not_now"].get<std::string>().contains("premium rate (FR)"));

    rig.store.reader.opt_out_rows = {{.number = "+33600000001", .at = noon}};
    refused = preview("+33600000001");
    CHECK(refused["why"] == "opt_out");
    CHECK(refused["why_not_now"] ==
          "the recipient wants no messages since 2026-11-21T12:00:00.000Z");

    rig.rack.rack_status.pauses = {{.scope = ports::PauseScope::batch, .name = "b", .since = noon}};
    CHECK(preview("+33612345678")["why"].is_null());
    auto waits = preview("+33612345678", R"(,"batch":"b")");
    CHECK(waits["why"] == "paused");
    CHECK(waits["why_not_now"] == "batch b is paused since 2026-11-21T12:00:00.000Z");
    CHECK(waits["wait_until"].is_null());
    CHECK(waits["refused"] == false);
    rig.rack.rack_status.pauses = {{.since = noon}};
    CHECK(preview("+33612345678")["why_not_now"] ==
          "the rack is paused since 2026-11-21T12:00:00.000Z");
}

TEST_CASE("POST /v1/messages: a refusal names its rule, as 403 forbidden") {
    test::ApiRig rig;
    const auto answer = rig.done("POST", "/v1/messages", R"({"to":"+33899123456","text":"x"})");
    CHECK(answer->answer.status == 403);
    CHECK(answer->json()["code"] == "forbidden");
    CHECK(answer->json()["detail"].get<std::string>().starts_with("rule premium: "));
    CHECK_FALSE(answer->answer.body.contains("123456"));
    CHECK(rig.store.accepting.empty());
}

TEST_CASE("GET /v1/status: what is paused, since when; cancelled batches are no pause") {
    test::ApiRig rig;
    rig.rack.rack_status.pauses = {
        {.scope = ports::PauseScope::group, .name = "orange", .since = noon},
        {.scope = ports::PauseScope::batch, .name = "old", .since = noon, .cancelled = true}};
    const auto pauses = rig.done("GET", "/v1/status")->json()["pauses"];
    REQUIRE(pauses.size() == 1);
    CHECK(pauses[0]["scope"] == "group");
    CHECK(pauses[0]["name"] == "orange");
    CHECK(pauses[0]["since"] == "2026-11-21T12:00:00.000Z");
}

TEST_CASE("GET /v1/messages/{id}/explain: it waits for a pause, rather than for a line") {
    test::ApiRig rig;
    rig.store.reader.detail.message = {.id = MessageId{5},
                                       .to = "+33612345678",
                                       .state = MessageState::queued,
                                       .group = "default",
                                       .batch = "b",
                                       .created_at = noon,
                                       .expires_at = noon + 24h};
    rig.rack.line_views = {{.name = "m0", .group = "default", .link = ports::LinkState::active}};
    CHECK(rig.done("GET", "/v1/messages/5/explain")
              ->json()["next"]
              .get<std::string>()
              .starts_with("The next free modem sends it"));
    rig.rack.rack_status.pauses = {{.scope = ports::PauseScope::batch, .name = "b", .since = noon}};
    CHECK(rig.done("GET", "/v1/messages/5/explain")->json()["next"] ==
          "It waits: batch b is paused since 2026-11-21T12:00:00.000Z.");
}
