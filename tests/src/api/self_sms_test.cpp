#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

namespace smsrack::test {
namespace {

/// A call of this user.
ApiRig::Responder called(ApiRig& rig, std::uint32_t uid, const std::string& body = "") {
    auto responder = std::make_shared<FakeResponder>();
    rig.responders.push_back(responder);
    const wire::Peer peer{.uid = uid, .known = true};
    wire::HttpRequest request = ApiRig::request_of("POST", "/v1/self-sms");
    request.body = body;
    request.peer = &peer;
    rig.api.handle(std::move(request), responder);
    rig.settle();
    return responder;
}

}  // namespace

TEST_CASE("POST /v1/self-sms: answered when its message is kept, with where it goes") {
    ApiRig rig;
    rig.self_sms.answer = ports::SelfSmsOrdered{
        .id = MessageId{7}, .group = "orange", .to = "m1", .expires_at = WallTime{0ms}};
    const auto responder = called(rig, 0, "{}");
    REQUIRE(responder->answered);
    CHECK(responder->answer.status == 202);
    CHECK(responder->json().at("group") == "orange");
    CHECK(responder->json().at("to") == "m1");
    CHECK(responder->json().at("expires_at") == "1970-01-01T00:00:00.000Z");
    CHECK(responder->json().at("id").is_string());
}

TEST_CASE("POST /v1/self-sms: what can't be is a conflict with its reason; others may not ask") {
    ApiRig rig;
    const auto responder = called(rig, 0);
    CHECK(responder->answer.status == 409);
    CHECK(responder->json().at("detail") == "this takes two modems");
    CHECK(rig.self_sms.orders == 1);
    CHECK(called(rig, 4'711)->answer.status == 403);
    CHECK(called(rig, 0, R"({"to":"m1"})")->answer.status == 400);
    CHECK(rig.self_sms.orders == 1);
}

}  // namespace smsrack::test
