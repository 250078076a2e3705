#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

TEST_CASE("GET /v1/triggers: each with its sums, one with its topics") {
    test::ApiRig rig;
    auto& trigger = rig.triggers.shown.triggers[0];
    trigger.capacity = 1'000;
    trigger.waiting = 5;
    trigger.waiting_for = trigger::WaitingFor::overload;
    trigger.counts.count(trigger::Verdict::seen, 7);
    trigger.topics = {{.name = "paris", .keys = 10, .bits = 512, .fill = 0.25, .fp_rate = 2e-5},
                      {.name = "south", .members = {"nice", "cannes"}, .keys = 3, .bits = 512}};
    rig.triggers.shown.rebuild.rows = 13;
    const auto all = rig.done("GET", "/v1/triggers")->json();
    REQUIRE(all["triggers"].size() == 1);
    CHECK(all["triggers"][0]["keys"] == 13);
    CHECK(all["triggers"][0]["bits"] == 1'024);
    CHECK(all["triggers"][0]["fp_estimate"] == 2e-5);
    CHECK(all["triggers"][0]["waiting_for"] == "overload");
    CHECK(all["triggers"][0]["events"]["seen"] == 7);
    CHECK_FALSE(all["triggers"][0].contains("topics"));
    CHECK(all["rebuild"]["rows"] == 13);
    const auto one = rig.done("GET", "/v1/triggers/welcome")->json();
    REQUIRE(one["topics"].size() == 2);
    CHECK(one["topics"][1]["members"] == wire::Json::array({"nice", "cannes"}));
    CHECK(one["rebuild"]["running"] == false);
    CHECK(rig.done("GET", "/v1/triggers/nope")->answer.status == 404);
}

TEST_CASE(
    "GET /v1/triggers/{name}: the limit of age, and the events by tag where the share differs") {
    test::ApiRig rig;
    auto& trigger = rig.triggers.shown.triggers[0];
    const auto plain = rig.done("GET", "/v1/triggers/welcome")->json();
    CHECK(plain["max_age_s"].is_null());
    CHECK_FALSE(plain.contains("tags"));
    trigger.max_age = std::chrono::hours(1);
    trigger.tags = {{.tag = "beta", .share = 1}, {.share = 0.05}};
    trigger.tags[0].counts.count(trigger::Verdict::fresh, 3);
    trigger.tags[1].counts.count(trigger::Verdict::outside, 4);
    const auto one = rig.done("GET", "/v1/triggers/welcome")->json();
    CHECK(one["max_age_s"] == 3'600);
    REQUIRE(one["tags"].size() == 2);
    CHECK(one["tags"][0]["tag"] == "beta");
    CHECK(one["tags"][0]["events"]["new"] == 3);
    CHECK(one["tags"][1]["tag"].is_null());
    CHECK(one["tags"][1]["share"] == 0.05);
    CHECK(one["tags"][1]["events"]["outside"] == 4);
}

TEST_CASE("POST /v1/triggers/{name}/rebuild: begins, and is refused while one is running") {
    test::ApiRig rig;
    CHECK(rig.done_by(rig.sender, "POST", "/v1/triggers/welcome/rebuild")->answer.status == 403);
    const wire::Peer root{.uid = 0, .known = true};
    const auto call = [&](const std::string& path) {
        auto responder = std::make_shared<test::FakeResponder>();
        auto request = test::ApiRig::request_of("POST", path);
        request.peer = &root;
        rig.api.handle(std::move(request), responder);
        return responder;
    };
    const auto begun = call("/v1/triggers/welcome/rebuild");
    CHECK(begun->answer.status == 202);
    CHECK(begun->json()["running"] == true);
    CHECK(call("/v1/triggers/welcome/rebuild")->answer.status == 409);
    CHECK(call("/v1/triggers/nope/rebuild")->answer.status == 404);
}

TEST_CASE(
    "GET /v1/triggers/{name}/trace: the pair, its verdict, and the message with its history") {
    test::ApiRig rig;
    rig.triggers.trace_answer = trigger::Trace{
        .number = "+33612345678",
        .pairs = {{.topic = "paris",
                   .in_filter = true,
                   .row = ports::PairRow{.state = ports::PairState::sent, .message = MessageId{7}},
                   .verdict = trigger::Verdict::seen,
                   .why = "it has had its message"}}};
    const auto traced =
        rig.done("GET", "/v1/triggers/welcome/trace?number=+33612345678&topic=paris");
    CHECK(rig.triggers.traced == "+33612345678 paris");
    CHECK(traced->answer.status == 200);
    const auto pair = traced->json()["pairs"][0];
    CHECK(pair["verdict"] == "seen");
    CHECK(pair["state"] == "sent");
    CHECK(pair["message_id"] == "7");
    CHECK(rig.done("GET", "/v1/triggers/welcome/trace")->answer.status == 400);
    rig.triggers.trace_answer = fail(Errc::bad_number, "number: not a number");
    CHECK(rig.done("GET", "/v1/triggers/welcome/trace?number=x")->answer.status == 400);
}
