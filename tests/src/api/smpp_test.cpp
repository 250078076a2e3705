// What the gate tells of its SMPP server, and for whom it may call.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

const wire::Peer gate{.uid = test::ApiRig::gate_uid, .gid = 985, .known = true};

}  // namespace

TEST_CASE("GET /v1/smpp: the last whole report, until it is too old") {
    test::ApiRig rig;
    rig.store.reader.client_rows = {{.id = ClientId{1}, .name = "shop", .buffered = 40}};
    CHECK(rig.done("GET", "/v1/smpp")->answer.status == 404);
    const auto report = [&](const std::string& body) {
        return rig.done_by(gate, "POST", "/v1/smpp/report", body)->answer.status;
    };
    CHECK(report(R"({"first":true,"last":false,"accounts":[{"name":"shop","waiting":2}]})") == 200);
    CHECK(rig.done("GET", "/v1/smpp")->answer.status == 404);
    CHECK(report(R"({"first":false,"last":true,"accounts":[{"name":"bank"}]})") == 200);
    const auto accounts = rig.done("GET", "/v1/smpp")->json()["accounts"];
    REQUIRE(accounts.size() == 2);
    CHECK(accounts[0]["waiting"] == 2);
    CHECK(accounts[0]["kept"] == 40);
    CHECK(accounts[1]["kept"] == 0);  // it has sent nothing
    CHECK(accounts[1]["name"] == "bank");
    for (const char* wrong :
         {"", "[]", "{}", R"({"accounts":[1]})", R"({"accounts":[{"name":1}]})"}) {
        CAPTURE(wrong);
        CHECK(report(wrong) == 400);
    }
    rig.clock.advance(30s);
    CHECK(rig.done("GET", "/v1/smpp")->answer.status == 404);
}

TEST_CASE("POST /v1/smpp/{account}/unbind: the gate is asked with its next report, once") {
    test::ApiRig rig;
    const auto report = [&] {
        return rig
            .done_by(gate, "POST", "/v1/smpp/report",
                     R"({"first":true,"last":true,"accounts":[{"name":"shop"}]})")
            ->json()["unbind"];
    };
    CHECK(rig.done("POST", "/v1/smpp/shop/unbind")->answer.status == 404);
    CHECK(report().empty());
    CHECK(rig.done("POST", "/v1/smpp/bank/unbind")->answer.status == 404);
    CHECK(rig.done("POST", "/v1/smpp/shop/unbind")->answer.status == 200);
    CHECK(report() == wire::Json::array({"shop"}));
    CHECK(report().empty());
}

TEST_CASE("an account of SMPP: the gate alone may call for it, with the rights of a sender") {
    test::ApiRig rig;
    const auto call = [&](const wire::Peer& peer, const char* target, const char* token) {
        return rig.done_by(peer, "GET", target, "", {{"smsrack-token", token}})->answer.status;
    };
    CHECK(call(gate, "/v1/session", "smpp:shop") == 200);
    CHECK(rig.done_by(gate, "GET", "/v1/session", "", {{"smsrack-token", "smpp:shop"}})
              ->json()["name"] == "shop");
    CHECK(call(gate, "/v1/inbox", "smpp:shop") == 403);
    CHECK(call(gate, "/v1/inbox", "smpp+:shop") == 403);
    for (const char* wrong : {"smpp:", "smpp", "smpp:a b", "smpp-:shop"}) {
        CAPTURE(wrong);
        CHECK(call(gate, "/v1/session", wrong) == 401);
    }
    CHECK(call({.uid = 1'004, .gid = 1'004, .known = true}, "/v1/session", "smpp:shop") == 403);
}
