// Callers over the network: the gate passes on the hash of their token, and the service decides.
#include "src/access/token.hpp"
#include "src/api/routes.hpp"
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {
namespace {

using access::Role;

const wire::Peer gate{.uid = ApiRig::gate_uid, .gid = 985, .groups = {993}, .known = true};
const wire::Peer itself{.uid = 990, .gid = 990, .known = true};
const wire::Peer other{.uid = 1002, .gid = 1002, .groups = {993}, .known = true};

std::string hash_of(const std::string& name) {
    return access::token_hash("the token of " + name);
}

struct RemoteRig : ApiRig {
    RemoteRig() { set({{"shop", Role::send}, {"eyes", Role::read}, {"boss", Role::admin}}); }

    void set(const std::vector<std::pair<std::string, Role>>& names) {
        std::vector<access::Token> all;
        for (const auto& [name, role] : names) {
            all.push_back({.name = name, .role = role, .hash = hash_of(name)});
        }
        all.push_back({.name = "ended", .hash = hash_of("ended"), .until = clock.wall()});
        tokens.set(std::move(all));
        api.tokens_changed();
    }

    Responder as(const std::string& name, const std::string& method, const std::string& path,
                 const std::string& body = {}, std::vector<wire::HeaderField> headers = {}) {
        headers.push_back({"smsrack-token", hash_of(name)});
        return done_by(gate, method, path, body, std::move(headers));
    }
    int status(const std::string& name, const std::string& method, const std::string& path,
               const std::string& body = {}) {
        return as(name, method, path, body)->answer.status;
    }
};

Event sent(std::int64_t seq, OwnerId owner) {
    return {.seq = EventSeq{seq},
            .message = MessageId{seq},
            .owner = owner,
            .state = MessageState::sent,
            .modem = "m0"};
}

const std::string message = R"({"to":"+33612345678","text":"x"})";

}  // namespace

TEST_CASE("GET /v1/session: says who calls, over the network and on the socket") {
    RemoteRig rig;
    const auto boss = rig.as("boss", "GET", "/v1/session")->json();
    CHECK(boss["name"] == "boss");
    CHECK(boss["role"] == "admin");
    CHECK(boss["masked"] == false);
    CHECK(boss["remote"] == true);
    CHECK(rig.as("shop", "GET", "/v1/session")->json()["role"] == "send");
    CHECK(rig.status("ended", "GET", "/v1/session") == 401);
    const auto local = rig.done_by(other, "GET", "/v1/session")->json();
    CHECK(local["name"] == "uid 1002");
    CHECK(local["role"] == "send");
    CHECK(local["remote"] == false);
}

TEST_CASE("Remote: a token's role decides, not the gate's own account") {
    RemoteRig rig;
    struct Case {
        const char* method;
        const char* path;
        std::string body;
        int shop;
        int eyes;
        int boss;
    };
    for (const Case& it : {
             Case{"POST", "/v1/preview", message, 200, 200, 200},
             Case{"GET", "/v1/inbox", "", 403, 200, 200},
             Case{"GET", "/v1/status", "", 403, 200, 200},
             Case{"GET", "/metrics", "", 403, 200, 200},
             Case{"POST", "/v1/optouts", R"({"number":"+33612345678"})", 403, 403, 200},
         }) {
        CAPTURE(it.path);
        CHECK(rig.status("shop", it.method, it.path, it.body) == it.shop);
        CHECK(rig.status("eyes", it.method, it.path, it.body) == it.eyes);
        CHECK(rig.status("boss", it.method, it.path, it.body) == it.boss);
    }
    const auto refused = rig.as("shop", "GET", "/v1/status")->json();
    CHECK(refused.at("code") == "forbidden");
    CHECK(refused.at("detail") == "this call needs a token with the role read; this one has send");
}

TEST_CASE("Remote: a token that does not count gets one answer, whatever is wrong with it") {
    RemoteRig rig;
    const auto unknown = rig.as("none", "GET", "/v1/status");
    CHECK(unknown->answer.status == 401);
    CHECK(unknown->answer.headers.front().name == "WWW-Authenticate");
    CHECK(unknown->answer.headers.front().value == "Bearer");
    CHECK(rig.as("ended", "GET", "/v1/status")->answer.body == unknown->answer.body);
    for (const std::string& hash :
         {std::string("none"), hash_of("boss").substr(1), std::string()}) {
        CAPTURE(hash);
        const auto answer = rig.done_by(gate, "GET", "/v1/status", "", {{"smsrack-token", hash}});
        CHECK(answer->answer.status == 401);
        CHECK(answer->answer.body == unknown->answer.body);
    }
    CHECK(rig.done_by(gate, "POST", "/v1/messages", message)->answer.status == 401);
    CHECK(rig.store.accepting.empty());
    // They tell whether the service runs, and nothing else.
    CHECK(rig.done_by(gate, "GET", "/healthz")->answer.status == 200);
    CHECK(rig.done_by(gate, "GET", "/readyz")->answer.status < 504);
    rig.set({{"eyes", Role::read}});
    CHECK(rig.status("boss", "GET", "/v1/status") == 401);
}

TEST_CASE("Remote: only the gate and the service's own account pass on a token") {
    RemoteRig rig;
    const std::vector<wire::HeaderField> header{{"smsrack-token", hash_of("boss")}};
    const auto refused = rig.done_by(other, "GET", "/v1/status", "", header);
    CHECK(refused->answer.status == 403);
    CHECK(rig.done_by(itself, "GET", "/v1/status", "", header)->answer.status == 200);
    const std::vector<wire::HeaderField> sender{{"smsrack-token", hash_of("shop")}};
    CHECK(rig.done_by(itself, "GET", "/v1/status", "", sender)->answer.status == 403);
    CHECK(rig.done_by(itself, "GET", "/v1/status")->answer.status == 200);
}

TEST_CASE("Remote: a sender's messages are its token's; it uses the client of its name alone") {
    RemoteRig rig;
    auto responder = std::make_shared<FakeResponder>();
    rig.responders.push_back(responder);
    auto request = ApiRig::request_of("POST", "/v1/messages", {{"smsrack-token", hash_of("shop")}});
    request.body = message;
    request.peer = &gate;
    rig.api.handle(std::move(request), responder);
    REQUIRE(rig.store.accepting.size() == 1);
    const NewMessage& kept = rig.store.accepting[0].command.message;
    CHECK(kept.owner == access::token_owner("shop"));
    CHECK(kept.client == "shop");
    CHECK(kept.client_if_known);
    rig.settle();
    CHECK(responder->answer.status == 202);
    CHECK(access::token_owner("shop") != access::token_owner("eyes"));
    CHECK(access::token_owner("shop").value > std::int64_t{UINT32_MAX});

    const auto named = [](const char* client) {
        return R"({"to":"+33612345678","text":"x","client":")" + std::string(client) + "\"}";
    };
    CHECK(rig.status("shop", "POST", "/v1/preview", named("shop")) == 200);
    const auto refused = rig.as("shop", "POST", "/v1/preview", named("billing"));
    CHECK(refused->answer.status == 403);
    CHECK(refused->json().at("detail") == "client: this token's client is shop, not billing");
}

TEST_CASE(
    "Remote: at, ussd and upgrade are for callers on the box, unless the operator lets them") {
    RemoteRig rig;
    for (const char* const path : {"/v1/modems/m1/at", "/v1/modems/m1/ussd", "/v1/upgrade"}) {
        CAPTURE(path);
        const auto refused = rig.as("boss", "POST", path, "{}");
        CHECK(refused->answer.status == 403);
        CHECK(refused->json().at("detail").get<std::string>().contains("remote_at = true"));
        CHECK(rig.done_by(itself, "POST", path, "{}")->answer.status != 403);
    }
    const api::AccessRules lets{.own_uid = 990, .gate = ApiRig::gate_uid, .remote_at = true};
    api::Api letting{rig.parts(), {.access = lets}};
    auto request =
        ApiRig::request_of("POST", "/v1/modems/m1/at", {{"smsrack-token", hash_of("boss")}});
    request.body = "{}";
    request.peer = &gate;
    const auto responder = std::make_shared<FakeResponder>();
    letting.handle(std::move(request), responder);
    rig.settle();
    CHECK(responder->answer.status == 400);  // it was looked at
}

TEST_CASE("Remote: the stream of a revoked token is cut, those of others stay") {
    RemoteRig rig;
    const auto shop = rig.as("shop", "GET", "/v1/events");
    const auto eyes = rig.as("eyes", "GET", "/v1/events");
    rig.commit_events({sent(1, access::token_owner("shop")), sent(2, OwnerId{1002})});
    rig.settle();
    CHECK(shop->written.contains("\nid: 1\n"));
    CHECK_FALSE(shop->written.contains("\nid: 2\n"));
    CHECK(eyes->written.contains("\nid: 2\n"));
    rig.set({{"shop", Role::send}, {"eyes", Role::read}});
    CHECK_FALSE(shop->was_cut);
    rig.set({{"eyes", Role::read}});
    CHECK(shop->was_cut);
    CHECK_FALSE(eyes->was_cut);
    const std::size_t before = shop->written.size();
    rig.commit_events({sent(3, access::token_owner("shop"))});
    rig.settle();
    CHECK(shop->written.size() == before);  // it has no subscriber any more
    CHECK(eyes->written.contains("\nid: 3\n"));
}

TEST_CASE("Remote: another process that resumes a stream judges its token again") {
    RemoteRig rig;
    const auto eyes = rig.as("eyes", "GET", "/v1/events", "", {{"last-event-id", "0"}});
    const std::string mark = eyes->front + eyes->mark();
    CHECK(eyes->front == "for " + hash_of("eyes") + " ");
    const auto resumed = std::make_shared<FakeResponder>();
    (void)rig.api.resume(mark, gate, resumed);
    rig.commit_events({sent(3, OwnerId{1002})});
    rig.settle();
    CHECK(resumed->written.contains("\nid: 3\n"));
    CHECK(resumed->front == eyes->front);
    rig.set({});
    CHECK(resumed->was_cut);
    const auto refused = std::make_shared<FakeResponder>();
    (void)rig.api.resume(mark, gate, refused);
    CHECK(refused->was_cut);
}

TEST_CASE("Remote: streams that have ended leave nothing behind") {
    RemoteRig rig;
    std::vector<std::weak_ptr<FakeResponder>> ended;
    for (int i = 0; i < 300; ++i) {
        auto responder = rig.as("eyes", "GET", "/v1/events");
        ended.push_back(responder);
        std::exchange(responder->close, nullptr)();
        rig.responders.clear();
    }
    CHECK(std::ranges::all_of(ended, [](const auto& it) { return it.expired(); }));
    rig.set({});  // none of them is there to be cut
}

}  // namespace smsrack::test
