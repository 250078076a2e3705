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

TEST_CASE("POST /v1/modems/{name}/reset: 202 at once") {
    ApiRig rig;
    const auto responder = admin(rig, "/v1/modems/m1/reset", "");
    REQUIRE(responder->answered);
    CHECK(responder->answer.status == 202);
    CHECK(rig.orders.given.back().order.kind == ports::HandOrderKind::restart);
}

TEST_CASE("commands by hand: what can't be done says why") {
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

TEST_CASE("commands by hand: for administrators only") {
    ApiRig rig;
    for (const char* path : {"/v1/modems/m1/at", "/v1/modems/m1/ussd", "/v1/modems/m1/reset"}) {
        CHECK(rig.done("POST", path, R"({"command":"AT","code":"1"})")->answer.status == 403);
        CHECK(rig.done("GET", path)->answer.status == 405);
    }
    CHECK(rig.done("GET", "/v1/modems/m1/other")->answer.status == 404);
    CHECK(rig.orders.given.empty());
}

}  // namespace smsrack::test
