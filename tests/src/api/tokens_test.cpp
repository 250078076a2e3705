// Tokens of the network: what an administrator sees of them, and how one is revoked.
#include "src/access/token.hpp"
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

const wire::Peer gate{.uid = test::ApiRig::gate_uid, .gid = 985, .known = true};

access::Token token(const std::string& name, access::Role role) {
    return {.name = name,
            .role = role,
            .hash = access::token_hash(name),
            .made = WallTime{1'800'000'000'000ms}};
}

}  // namespace

TEST_CASE("GET /v1/tokens: names, roles and last use, and nothing of the secret") {
    test::ApiRig rig;
    auto shop = token("shop", access::Role::read);
    shop.masked = true;
    shop.until = WallTime{1'900'000'000'000ms};
    rig.tokens.set({shop, token("old", access::Role::send)});
    rig.tokens.set_revoked({access::token_hash("old")});
    CHECK(rig.done("GET", "/v1/tokens")->json()["tokens"][0]["used_at"].is_null());
    CHECK(rig.done_by(
                 gate, "GET", "/v1/status", "",
                 {{"smsrack-token", access::token_hash("shop")}, {"smsrack-address", "192.0.2.7"}})
              ->answer.status == 200);
    CHECK(rig.done_by(gate, "GET", "/v1/status", "", {{"smsrack-token", access::token_hash("old")}})
              ->answer.status == 401);
    const auto answer = rig.done("GET", "/v1/tokens");
    const auto tokens = answer->json()["tokens"];
    REQUIRE(tokens.size() == 2);
    CHECK(tokens[0]["name"] == "shop");
    CHECK(tokens[0]["role"] == "read");
    CHECK(tokens[0]["masked"] == true);
    CHECK(tokens[0]["made_at"] == "2027-01-15T08:00:00.000Z");
    CHECK(tokens[0]["expires_at"] == "2030-03-17T17:46:40.000Z");
    CHECK(tokens[0]["revoked"] == false);
    CHECK(tokens[0]["used_at"].is_string());
    CHECK(tokens[0]["used_from"] == "192.0.2.7");
    CHECK(tokens[1]["revoked"] == true);
    CHECK(tokens[1]["used_at"].is_null());
    CHECK_FALSE(answer->answer.body.contains(access::token_hash("shop")));
}

TEST_CASE("DELETE /v1/tokens/{name}: an order, which is in the audit") {
    test::ApiRig rig;
    CHECK(rig.done("DELETE", "/v1/tokens/shop")->json()["revoked"] == "shop");
    CHECK(rig.token_orders.revoked == std::vector<std::string>{"shop"});
    CHECK(rig.audit.rows.back().call == "DELETE /v1/tokens/shop");
    CHECK(rig.audit.rows.back().status == 200);
    rig.token_orders.answer = fail(Errc::not_found, "no token has this name");
    CHECK(rig.done("DELETE", "/v1/tokens/none")->answer.status == 404);
    rig.token_orders.answer = fail(Errc::storage, "the disk is full");
    CHECK(rig.done("DELETE", "/v1/tokens/shop")->answer.status == 507);
    CHECK(rig.done_by(rig.sender, "DELETE", "/v1/tokens/shop")->answer.status == 403);
}

TEST_CASE("an answer to a token that is revoked meanwhile still says that it was") {
    test::ApiRig rig;
    rig.tokens.set({token("boss", access::Role::admin)});
    CHECK(rig.done_by(gate, "DELETE", "/v1/tokens/boss", "",
                      {{"smsrack-token", access::token_hash("boss")}})
              ->answer.status == 200);
}
