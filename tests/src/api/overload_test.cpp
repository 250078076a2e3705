// Too much work: what a client is answered.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t far_too_much = 1'000'000'000;

std::string body_of(int level, const std::string& more = {}) {
    return R"({"to":"+33612345678","text":"hello","priority":)" + std::to_string(level) + more +
           "}";
}

}  // namespace

TEST_CASE(
    "POST /v1/messages: 503 with Retry-After says group, level and why, and nothing was kept") {
    test::ApiRig rig;
    rig.store.work_counts[2] = far_too_much;
    const auto refused = rig.done("POST", "/v1/messages", body_of(2));
    CHECK(refused->answer.status == 503);
    CHECK(refused->answer.content_type == "application/problem+json");
    const auto problem = refused->json();
    CHECK(problem["code"] == "overloaded");
    CHECK(problem["detail"].get<std::string>().starts_with("group default, level 2: "));
    CHECK_FALSE(problem["detail"].get<std::string>().contains("hello"));
    REQUIRE(refused->answer.headers.size() == 1);
    CHECK(refused->answer.headers[0].name == "Retry-After");
    CHECK(std::stoll(refused->answer.headers[0].value) == problem["retry_after_s"]);
    CHECK(rig.stats.value(stats::Counter::messages_refused_overload) == 1);
    CHECK(rig.stats.value(stats::Counter::messages_refused_full) == 0);
    CHECK(rig.done("POST", "/v1/messages", body_of(3))->answer.status == 202);
}

TEST_CASE(
    "POST /v1/messages: a ref that was accepted is answered as then, also where others are "
    "refused") {
    test::ApiRig rig;
    rig.store.work_counts[2] = far_too_much;
    const auto again = rig.call("POST", "/v1/messages", body_of(2, R"(,"ref":"r1")"));
    const auto other = rig.call("POST", "/v1/messages", body_of(2, R"(,"ref":"r2")"));
    rig.loop.run_all();
    REQUIRE(rig.store.accepting.size() == 2);
    CHECK_FALSE(rig.store.accepting[0].command.message.admitted);
    rig.store.commit_one(ports::Accepted{.id = MessageId{5}, .repeated = true});
    rig.store.commit_one(fail(Errc::overloaded, ""));
    rig.loop.run_all();
    CHECK(again->answer.status == 202);
    CHECK(again->json()["id"] == "5");
    CHECK(other->answer.status == 503);
    CHECK(other->json()["detail"].get<std::string>().starts_with("group default, level 2: "));
}

TEST_CASE("NDJSON: lines are refused one by one, and the rest is accepted") {
    test::ApiRig rig;
    rig.store.work_counts[2] = far_too_much;
    auto responder = std::make_shared<test::FakeResponder>();
    const auto reader =
        rig.api.stream(test::ApiRig::request_of("POST", "/v1/messages",
                                                {{"Content-Type", "application/x-ndjson"}}),
                       responder);
    REQUIRE(reader);
    reader->data(body_of(1) + "\n" + body_of(3) + "\n" + body_of(2) + "\n" + body_of(6) + "\n");
    reader->end();
    while (!rig.store.accepting.empty()) {  // a refused line may go to the store as a probe
        const bool admitted = rig.store.accepting.front().command.message.admitted;
        rig.store.commit_one(admitted ? Result<ports::Accepted>(ports::Accepted{.id = MessageId{7}})
                                      : fail(Errc::overloaded, ""));
    }
    rig.loop.run_all();
    std::vector<std::string> codes;
    std::string rest = responder->written;
    for (auto end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
        const auto line = wire::parse_json(rest.substr(0, end)).value();
        codes.push_back(line.contains("error") ? line["error"]["code"].get<std::string>() : "");
        rest.erase(0, end + 1);
    }
    CHECK(codes == std::vector<std::string>{"overloaded", "", "overloaded", ""});
}

TEST_CASE(
    "POST /v1/messages: the answer tells when the network will have it, where that is known") {
    test::ApiRig rig;
    CHECK_FALSE(rig.done("POST", "/v1/messages", body_of(3))->json().contains("expected_at"));
    rig.responses.served(GroupId{1}, 2s, true);
    rig.store.work_counts[3] = 10;
    const auto accepted = rig.done("POST", "/v1/messages", body_of(3))->json();
    CHECK(accepted["expected_at"] == "2026-01-01T00:00:22.000Z");  // ten others, and itself
    CHECK_FALSE(
        rig.done("POST", "/v1/messages", body_of(3, R"(,"not_before":"2026-01-02T00:00:00Z")"))
            ->json()
            .contains("expected_at"));
}

TEST_CASE("POST /v1/preview says that a message would be refused now, and changes nothing") {
    test::ApiRig rig;
    rig.rack.line_views = {{.name = "m0", .group = "default", .link = ports::LinkState::active}};
    CHECK(rig.done("POST", "/v1/preview", body_of(2))->json()["why"].is_null());
    rig.store.work_counts[2] = far_too_much;
    const auto preview = rig.done("POST", "/v1/preview", body_of(2))->json();
    CHECK(preview["why"] == "overloaded");
    CHECK(preview["wait_until"].is_string());
    CHECK(rig.store.accepting.empty());
}

TEST_CASE("GET /v1/status: measured next to predicted, and an overload in words") {
    test::ApiRig rig;
    rig.rack.line_views.assign(8, {.link = ports::LinkState::active});
    rig.rack.rack_status = {.rate_in = 3.86, .rate_out = 3.8, .ready = true};
    rig.rack.rack_status.measured = ports::MeasuredWaits{
        .messages = 100, .wq_s = 0.01, .ws_s = 0.635, .p_wait = 0.02, .mu = 1.6};
    rig.rack.rack_status.groups = {
        {.name = "default", .lines = {.able = 7, .total = 8}, .rate = 11.2}};
    rig.rack.rack_status.groups[0].levels[0] = {
        .ahead = 500, .expected_ms = 44'643, .refuses = true};
    auto model = rig.done("GET", "/v1/status")->json()["model"];
    CHECK(model["mu"] == 1.6);
    CHECK(model["measured"]["ws_s"] == 0.635);
    CHECK(model["measured"]["p_wait"] == 0.02);
    CHECK(model["words"] == "the load is 30 % of what the modems can send");
    CHECK(model["arrivals"]["pattern"] == "unknown");
    CHECK(model["arrivals"]["dispersion"].is_null());

    rig.rack.rack_status.arrivals = {
        .messages = 900, .windows = 60, .window = std::chrono::seconds(10), .dispersion = 1.1};
    model = rig.done("GET", "/v1/status")->json()["model"];
    CHECK(model["words"] == "the load is 30 % of what the modems can send");
    CHECK(model["arrivals"]["pattern"] == "poisson");
    CHECK(model["arrivals"]["dispersion"] == 1.1);
    rig.rack.rack_status.arrivals.dispersion = 14.24;
    model = rig.done("GET", "/v1/status")->json()["model"];
    CHECK(model["words"] ==
          "the load is 30 % of what the modems can send; messages come in bursts (index of "
          "dispersion 14.2, where M/M/c presumes 1), so M/M/c predicts waits that are too short");
    CHECK(model["arrivals"]["pattern"] == "bursts");
    CHECK(model["arrivals"]["window_s"] == 10);
    CHECK(rig.done("GET", "/metrics")
              ->answer.body.contains("\nsmsrack_arrivals_dispersion_ratio 14.24\n"));
    rig.rack.rack_status.arrivals.dispersion = 0.1;
    model = rig.done("GET", "/v1/status")->json()["model"];
    CHECK(model["words"].get<std::string>().ends_with(
        "messages come evenly (index of dispersion 0.1, where M/M/c presumes 1), so M/M/c predicts "
        "waits that are too long"));

    rig.rack.rack_status.rate_in = 16;
    const auto status = rig.done("GET", "/v1/status")->json();
    CHECK(status["model"]["rho"] == 1.25);
    CHECK(status["model"]["wq_s"].is_null());
    CHECK(status["model"]["words"].get<std::string>().starts_with("the load is 1.25 times what"));
    CHECK(status["groups"][0]["able"] == 7);
    CHECK(status["groups"][0]["levels"][0]["refuses"] == true);
    CHECK(status["groups"][0]["levels"][0]["ahead"] == 500);

    rig.rack.line_views.clear();
    CHECK(rig.done("GET", "/v1/status")->json()["model"]["words"] == "no modem takes work");
}

TEST_CASE("GET /metrics: prediction and measurement are next to each other") {
    test::ApiRig rig;
    rig.rack.line_views.assign(8, {.name = "m", .link = ports::LinkState::active});
    rig.rack.rack_status = {.rate_in = 3.86};
    rig.rack.rack_status.measured = ports::MeasuredWaits{
        .messages = 100, .wq_s = 0.01, .ws_s = 0.635, .p_wait = 0.02, .mu = 1.6};
    rig.rack.rack_status.groups = {{.name = "default", .rate = 12.8}};
    rig.rack.rack_status.groups[0].levels[3] = {.ahead = 4, .expected_ms = 938, .refuses = true};
    const std::string text = rig.done("GET", "/metrics")->answer.body;
    CHECK(text.contains("smsrack_response_seconds{of=\"measured\"} 0.635"));
    CHECK(text.contains("smsrack_response_seconds{of=\"mmc\"} 0.625"));
    CHECK(text.contains("smsrack_refusing{group=\"default\",level=\"3\"} 1"));
    CHECK(text.contains("smsrack_refusing{group=\"default\",level=\"4\"} 0"));
    CHECK(text.contains("smsrack_work_ahead_segments{group=\"default\",level=\"3\"} 4"));
    CHECK(text.contains("smsrack_expected_seconds{group=\"default\",level=\"3\"} 0.938"));
    CHECK(text.contains("smsrack_messages_submitted_total{result=\"overloaded\"} 0"));
}
