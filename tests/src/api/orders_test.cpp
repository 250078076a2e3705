#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

namespace smsrack::test {
namespace {

/// A call of an administrator.
ApiRig::Responder admin(ApiRig& rig, const std::string& path, const std::string& body) {
    auto responder = std::make_shared<FakeResponder>();
    rig.responders.push_back(responder);
    const wire::Peer root{.uid = 0, .known = true};
    wire::HttpRequest request = ApiRig::request_of("POST", path);
    request.body = body;
    request.peer = &root;
    rig.api.handle(std::move(request), responder);
    rig.settle();
    return responder;
}

void end(ApiRig& rig, Result<ports::HandAnswer> answer) {
    REQUIRE(!rig.orders.given.empty());
    rig.orders.given.back().done(std::move(answer));
    rig.settle();
}

}  // namespace

TEST_CASE("POST /v1/modems/{name}/at: the lines and the final result, when they come") {
    ApiRig rig;
    const auto responder = admin(rig, "/v1/modems/m1/at", R"({"command":"AT+CSQ"})");
    CHECK(!responder->answered);
    CHECK(rig.orders.given.back().order.text == "AT+CSQ");
    end(rig, ports::HandAnswer{.lines = {"+CSQ: 17,0"}, .final_result = "OK"});
    REQUIRE(responder->answered);
    CHECK(responder->answer.body == R"({"lines":["+CSQ: 17,0"],"final":"OK"})");
}

TEST_CASE("POST /v1/modems/{name}/ussd: the answer's text, decoded, a line for each of its lines") {
    ApiRig rig;
    const auto responder = admin(rig, "/v1/modems/m1/ussd", R"({"code":"*100#"})");
    CHECK(rig.orders.given.back().order.kind == ports::HandOrderKind::ussd);
    end(rig, ports::HandAnswer{.final_result = "OK",
                               .ussd = ports::UssdReply{
                                   .text = "536F6C64650D0A31321B65", .dcs = 15, .hex = true}});
    CHECK(responder->answer.body == R"({"lines":["Solde","12€"],"final":"OK","session":"done"})");
}

TEST_CASE("operator's commands: a forced one says how many attempts at PINs are left") {
    ApiRig rig;
    const auto forced = [&](const char* path, const std::string& body) {
        const auto responder = admin(rig, path, body);
        CHECK(rig.orders.given.back().order.force);
        end(rig, ports::HandAnswer{.final_result = "OK"});
        CHECK_FALSE(responder->answered);
        CHECK(rig.orders.given.back().order.kind == ports::HandOrderKind::pin_attempts);
        return responder;
    };
    SUBCASE("as the modem says") {
        const auto responder =
            forced("/v1/modems/m1/at", R"({"command":"AT+CPIN=1234","force":true})");
        end(rig, ports::HandAnswer{.final_result = "OK",
                                   .pin_attempts = ports::PinAttempts{
                                       .pin = 2, .pin2 = 3, .puk = 10, .puk2 = 10}});
        CHECK(responder->json().at("attempts_left").at("pin") == 2);
        CHECK(responder->json().at("attempts_left").at("puk2") == 10);
    }
    SUBCASE("or that it does not; the command's own answer is returned in any case") {
        for (const bool answered : {true, false}) {
            const auto responder =
                forced("/v1/modems/m1/ussd", R"({"code":"**04*1*2*2#","force":true})");
            end(rig, answered
                         ? Result<ports::HandAnswer>(ports::HandAnswer{.final_result = "ERROR"})
                         : fail(Errc::busy, "not now"));
            CHECK(responder->answer.status == 200);
            CHECK(responder->json().at("final") == "OK");
            CHECK(responder->json().at("attempts_left").is_null());
        }
    }
    SUBCASE("not where nothing was forced, and not where it was refused") {
        auto responder = admin(rig, "/v1/modems/m1/at", R"({"command":"AT","force":false})");
        end(rig, ports::HandAnswer{.final_result = "OK"});
        CHECK_FALSE(responder->json().contains("attempts_left"));
        responder = admin(rig, "/v1/modems/m1/at", R"({"command":"AT+CMGD=1","force":true})");
        end(rig, fail(Errc::bad_request, "AT+CMGD is refused"));
        CHECK(responder->answer.status == 400);
    }
    CHECK(admin(rig, "/v1/modems/m1/at", R"({"command":"AT","force":1})")->answer.status == 400);
}

TEST_CASE(
    "operator's commands: the log has the name of a command, and nothing of what follows it") {
    using ports::HandOrderKind;
    for (const char* const text : {"AT+CPIN=\"1234\"", "AT+CPIN1234", "AT+CPIN \"1234\"",
                                   "AT+CPIN?", "AT+CPIN;+CPIN=1234"}) {
        CHECK(ports::name_of({.text = text}) == "AT+CPIN");
    }
    CHECK(ports::name_of({.kind = HandOrderKind::ussd, .text = "**04*1234*1*1#"}) == "ussd");
    CHECK(ports::name_of({.kind = HandOrderKind::pin_attempts}) == "pin_attempts");
}

TEST_CASE("POST /v1/modems/{name}/reset: 202 at once") {
    ApiRig rig;
    const auto responder = admin(rig, "/v1/modems/m1/reset", "");
    REQUIRE(responder->answered);
    CHECK(responder->answer.status == 202);
    CHECK(rig.orders.given.back().order.kind == ports::HandOrderKind::restart);
}

TEST_CASE("operator's commands: what can't be done says why") {
    struct Case {
        Errc code;
        int status;
    };
    for (const Case& one : {Case{Errc::bad_request, 400}, Case{Errc::conflict, 409},
                            Case{Errc::busy, 503}, Case{Errc::timeout, 503}}) {
        ApiRig rig;
        const auto responder = admin(rig, "/v1/modems/m1/at", R"({"command":"AT"})");
        end(rig, fail(one.code, "because"));
        CHECK(responder->answer.status == one.status);
        CHECK(responder->json().at("detail") == "because");
    }
    ApiRig rig;
    CHECK(admin(rig, "/v1/modems/m9/at", R"({"command":"AT"})")->answer.status == 404);
    CHECK(admin(rig, "/v1/modems/m9/reset", "")->answer.status == 404);
    for (const char* body :
         {"", "{}", R"({"command":7})", R"({"cmd":"AT"})", R"({"command":""})"}) {
        CAPTURE(body);
        CHECK(admin(rig, "/v1/modems/m1/at", body)->answer.status == 400);
    }
    CHECK(rig.orders.given.empty());
}

TEST_CASE("drain and resume: 202 when dispatch has done it, with what the line still holds") {
    ApiRig rig;
    rig.orders.gate_answer = ports::GateAnswer{.gate = ports::LineGate::blocked, .holds = true};
    const auto drained = admin(rig, "/v1/modems/m1/drain", "");
    CHECK(drained->answer.status == 202);
    CHECK(drained->answer.body == R"({"name":"m1","manual":"blocked","drained":false})");
    rig.orders.gate_answer = ports::GateAnswer{};
    CHECK(admin(rig, "/v1/modems/m1/resume", "")->answer.body ==
          R"({"name":"m1","manual":"open","drained":false})");
    CHECK(rig.orders.gates == std::vector{ports::GateOrder::drain, ports::GateOrder::resume});
    CHECK(admin(rig, "/v1/modems/m9/drain", "")->answer.status == 404);
    CHECK(rig.done_by(rig.sender, "POST", "/v1/modems/m1/drain")->answer.status == 403);
    rig.orders.gate_answer = fail(Errc::conflict, "the line is parked");
    CHECK(admin(rig, "/v1/modems/m1/drain", "")->answer.status == 409);
}

TEST_CASE("GET /v1/scaling: the controller, and its decisions with their indicators") {
    ApiRig rig;
    rig.rack.scaling_view = {.enabled = true,
                             .policy = "smsrack",
                             .n = 3,
                             .y = 4,
                             .n_min = 2,
                             .n_max = 8,
                             .load = 1.5,
                             .node_rate = 0.5,
                             .parked = {"m4", "m5"}};
    rig.rack_store.kept = std::vector{ports::KeptDecision{.n = 3,
                                                          .x = 1,
                                                          .y = 4,
                                                          .rules = "1,crash,early",
                                                          .words = "3 -> 4: because",
                                                          .line = "m3",
                                                          .samples = 20,
                                                          .counts = {16, 0, 0, 0, 2}}};
    const auto scaling = rig.done("GET", "/v1/scaling?limit=5")->json();
    CHECK(rig.rack_store.last_limit == 5);
    CHECK(scaling["n"] == 3);
    CHECK(scaling["y"] == 4);
    CHECK(scaling["forecast"].is_null());
    CHECK(scaling["arrivals"]["pattern"] == "unknown");
    rig.rack.scaling_view.arrivals = {
        .messages = 900, .windows = 60, .window = std::chrono::seconds(10), .dispersion = 8};
    CHECK(rig.done("GET", "/v1/scaling")->json()["arrivals"]["pattern"] == "bursts");
    CHECK(rig.done("GET", "/v1/status")->json()["scaling"]["arrivals"]["dispersion"] == 8);
    CHECK(scaling["parked"].size() == 2);
    REQUIRE(scaling["decisions"].size() == 1);
    const auto& decision = scaling["decisions"][0];
    CHECK(decision["rules"].dump() == R"([1,"crash","early"])");
    CHECK(decision["why"] == "3 -> 4: because");
    CHECK(decision["modem"] == "m3");
    CHECK(decision["indicators"]["out_flow"] == 16);
    CHECK(decision["indicators"]["in_store"] == 2);
    CHECK(rig.done("GET", "/v1/status")->json()["scaling"]["policy"] == "smsrack");
    CHECK(rig.done("GET", "/v1/scaling?limit=0")->answer.status == 400);
    rig.rack_store.kept = fail(Errc::storage, "the disk");
    CHECK(rig.done("GET", "/v1/scaling")->answer.status == 507);
}

TEST_CASE("operator's commands: for administrators only") {
    ApiRig rig;
    for (const char* path : {"/v1/modems/m1/at", "/v1/modems/m1/ussd", "/v1/modems/m1/reset"}) {
        CHECK(rig.done_by(rig.sender, "POST", path, R"({"command":"AT","code":"1"})")
                  ->answer.status == 403);
        CHECK(rig.done("GET", path)->answer.status == 405);
    }
    CHECK(rig.done("GET", "/v1/modems/m1/other")->answer.status == 404);
    CHECK(rig.orders.given.empty());
}

}  // namespace smsrack::test
