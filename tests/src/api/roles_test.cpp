// Who may call what on the local socket, and whose messages a caller sees.
#include "src/api/routes.hpp"
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {
namespace {

using access::Role;

// The groups of ApiRig: 992 gives `read`, 991 gives `admin`; 1001 has the client name billing.
const wire::Peer anna{.uid = 1001, .gid = 1001, .groups = {993}, .known = true};
const wire::Peer bert{.uid = 1002, .gid = 1002, .groups = {993}, .known = true};
const wire::Peer reader{.uid = 1003, .gid = 1003, .groups = {993, 992}, .known = true};
const wire::Peer boss{.uid = 1004, .gid = 991, .known = true};

constexpr OwnerId of_anna{1001};
constexpr OwnerId of_bert{1002};

std::vector<std::int64_t> ids(const std::string& written) {
    std::vector<std::int64_t> found;
    for (std::size_t at = written.find("\nid: "); at != std::string::npos;
         at = written.find("\nid: ", at + 1)) {
        found.push_back(std::stoll(written.substr(at + 5)));
    }
    return found;
}

using Ids = std::vector<std::int64_t>;

Event event(std::int64_t seq, std::optional<OwnerId> owner, ClientId client = {}) {
    return {.seq = EventSeq{seq},
            .message = MessageId{seq},
            .client = client,
            .owner = owner,
            .state = MessageState::sent,
            .modem = "m0"};
}

void put_message(ApiRig& rig, std::int64_t id, std::optional<OwnerId> owner,
                 const std::string& client = "") {
    ports::MessageRow row{.id = MessageId{id}, .to = "+33612345678"};
    row.owner = owner;
    row.client = client;
    rig.store.reader.detail.message = row;
    rig.store.reader.message_rows = {row};
}

int status_of(ApiRig& rig, const wire::Peer& peer, const std::string& method,
              const std::string& path, const std::string& body = "") {
    return rig.done_by(peer, method, path, body)->answer.status;
}

}  // namespace

TEST_CASE("Roles: the peer's account and groups give role and owner") {
    const api::AccessRules rules{
        .own_uid = 990, .read_group = 992, .admin_group = 991, .clients = {{1001, "billing"}}};
    struct Case {
        std::string what;
        wire::Peer peer;
        Role role;
        std::int64_t owner;
    };
    for (const Case& it : {
             Case{"root", {.uid = 0, .gid = 5, .known = true}, Role::admin, 0},
             Case{"the service itself", {.uid = 990, .gid = 5, .known = true}, Role::admin, 0},
             Case{"administrator by the first group", boss, Role::admin, 1004},
             Case{"administrator by a further group",
                  {.uid = 1000, .gid = 5, .groups = {4, 991}, .known = true},
                  Role::admin,
                  1000},
             Case{
                 "reader by the first group", {.uid = 9, .gid = 992, .known = true}, Role::read, 9},
             Case{"reader by a further group", reader, Role::read, 1003},
             Case{"both groups: the higher role",
                  {.uid = 9, .gid = 5, .groups = {992, 991}, .known = true},
                  Role::admin,
                  9},
             Case{"any other account that can open the socket", bert, Role::send, 1002},
         }) {
        CAPTURE(it.what);
        const auto caller = api::caller_of(&it.peer, rules);
        REQUIRE(caller);
        CHECK(caller->role == it.role);
        CHECK(caller->owner == OwnerId{it.owner});
    }
    CHECK(api::caller_of(&anna, rules)->clients == std::vector<std::string>{"billing"});
    CHECK(api::caller_of(&bert, rules)->clients.empty());
    const wire::Peer unknown{.known = false};
    CHECK_FALSE(api::caller_of(&unknown, rules));
    CHECK_FALSE(api::caller_of(nullptr, rules));

    const wire::Peer of_group_0{.uid = 1000, .gid = 0, .known = true};
    CHECK(api::caller_of(&of_group_0, {.own_uid = 990})->role == Role::send);
}

TEST_CASE(
    "Roles: a sender without an account of its own owns nothing, least of all root's messages") {
    const access::Caller caller{.role = Role::send, .clients = {"billing"}};
    CHECK_FALSE(caller.sees(OwnerId{}, ""));
    CHECK_FALSE(caller.sees(std::nullopt, ""));
    CHECK_FALSE(caller.sees(of_anna, "crm"));
    CHECK(caller.sees(of_anna, "billing"));
    CHECK(caller.account() != OwnerId{});
}

TEST_CASE("Roles: every call has the role that docs/rights.md gives it") {
    const std::map<std::pair<std::string_view, std::string_view>, Role> of_other_roles{
        {{"POST", "/v1/messages"}, Role::send},
        {{"GET", "/v1/messages/{id}"}, Role::send},
        {{"GET", "/v1/messages"}, Role::send},
        {{"DELETE", "/v1/messages/{id}"}, Role::send},
        {{"PUT", "/v1/messages/{id}"}, Role::send},
        {{"POST", "/v1/messages/{id}/again"}, Role::send},
        {{"GET", "/v1/messages/{id}/explain"}, Role::send},
        {{"POST", "/v1/preview"}, Role::send},
        {{"POST", "/v1/clients/{name}/ack"}, Role::send},
        {{"POST", "/v1/clients/{name}/heartbeat"}, Role::send},
        {{"GET", "/v1/clients/{name}"}, Role::send},
        {{"POST", "/v1/triggers/{name}/events"}, Role::send},
        {{"GET", "/v1/events"}, Role::send},
        {{"GET", "/v1/session"}, Role::send},
        {{"GET", "/v1/openapi.json"}, Role::send},
        {{"GET", "/v1/audit"}, Role::admin},
        {{"GET", "/v1/tokens"}, Role::admin},
        {{"GET", "/v1/config"}, Role::admin},
        {{"GET", "/v1/log"}, Role::admin},
        {{"GET", "/healthz"}, Role::send},
        {{"GET", "/readyz"}, Role::send},
    };
    for (const api::Route& route : api::routes()) {
        CAPTURE(route.method);
        CAPTURE(route.path);
        const auto other = of_other_roles.find({route.method, route.path});
        const Role wanted = other != of_other_roles.end() ? other->second
                            : route.method == "GET"       ? Role::read
                                                          : Role::admin;
        CHECK(route.role == wanted);
    }
}

TEST_CASE("Roles: a refusal names the role, its group and how to join it; nothing has happened") {
    ApiRig rig;
    struct Case {
        const wire::Peer& peer;
        const char* method;
        const char* path;
        const char* group;
    };
    for (const Case& it : {Case{bert, "GET", "/v1/inbox", "smsrack-read"},
                           Case{bert, "GET", "/v1/status", "smsrack-read"},
                           Case{bert, "GET", "/v1/attention", "smsrack-read"},
                           Case{bert, "GET", "/metrics", "smsrack-read"},
                           Case{bert, "GET", "/v1/optouts", "smsrack-read"},
                           Case{bert, "GET", "/v1/batches", "smsrack-read"},
                           Case{bert, "POST", "/v1/optouts", "smsrack-admin"},
                           Case{reader, "POST", "/v1/optouts", "smsrack-admin"},
                           Case{reader, "DELETE", "/v1/optouts/+33612345678", "smsrack-admin"},
                           Case{reader, "DELETE", "/v1/batches/x", "smsrack-admin"},
                           Case{reader, "POST", "/v1/pause", "smsrack-admin"},
                           Case{reader, "POST", "/v1/modems/m1/at", "smsrack-admin"}}) {
        CAPTURE(it.path);
        const auto answer = rig.done_by(it.peer, it.method, it.path, "{}");
        CHECK(answer->answer.status == 403);
        CHECK(answer->json().at("code") == "forbidden");
        const std::string detail = answer->json().at("detail");
        CHECK(detail.contains(it.group));
        CHECK(detail.contains(std::string("usermod -aG ") + it.group));
    }
    CHECK(rig.orders.given.empty());
    CHECK(status_of(rig, reader, "GET", "/v1/inbox") == 200);
    CHECK(status_of(rig, boss, "POST", "/v1/optouts", R"({"number":"+33612345678"})") == 200);
    CHECK(status_of(rig, boss, "DELETE", "/v1/optouts/+33612345678") == 200);
    const wire::Peer unknown{.known = false};
    CHECK(status_of(rig, unknown, "POST", "/v1/messages", R"({"to":"+33612345678","text":"x"})") ==
          401);
    CHECK(rig.store.accepting.empty());
}

TEST_CASE("Roles: an account owns what it sends; root and the service own nothing") {
    ApiRig rig;
    const std::string body = R"({"to":"+33612345678","text":"x"})";
    const auto owner_of = [&](const wire::Peer& peer) {
        auto responder = std::make_shared<FakeResponder>();
        rig.responders.push_back(responder);
        auto request = ApiRig::request_of("POST", "/v1/messages");
        request.body = body;
        request.peer = &peer;
        rig.api.handle(std::move(request), responder);
        REQUIRE(rig.store.accepting.size() == 1);
        const OwnerId owner = rig.store.accepting.front().command.message.owner;
        rig.settle();
        CHECK(responder->answer.status == 202);
        return owner;
    };
    CHECK(owner_of(anna) == of_anna);
    CHECK(owner_of(boss) == OwnerId{1004});
    CHECK(owner_of({.uid = 0, .known = true}) == OwnerId{});
    CHECK(owner_of({.uid = 990, .known = true}) == OwnerId{});
}

TEST_CASE("Roles: so does one that sends many in one request, after an upgrade too") {
    ApiRig rig;
    const auto upload = [&](const wire::Peer& peer) {
        auto head =
            ApiRig::request_of("POST", "/v1/messages", {{"content-type", "application/x-ndjson"}});
        head.peer = &peer;
        const auto responder = std::make_shared<FakeResponder>();
        rig.responders.push_back(responder);
        return std::pair(rig.api.stream(std::move(head), responder), responder);
    };
    auto [lines, responder] = upload(anna);
    lines->data(R"({"to":"+33612345678","text":"x"})"
                "\n"
                R"({"to":"+33612345678","text":"x","client":"billing"})"
                "\n"
                R"({"to":"+33612345678","text":"x","client":"crm"})"
                "\n");
    REQUIRE(rig.store.accepting.size() == 2);
    CHECK(rig.store.accepting[0].command.message.owner == of_anna);
    CHECK(rig.store.accepting[1].command.message.client == "billing");
    rig.settle();
    CHECK(responder->written.contains(R"("code":"forbidden")"));

    const std::string mark = responder->mark();
    const auto resumed = std::make_shared<FakeResponder>();
    rig.responders.push_back(resumed);
    const auto more = rig.api.resume(mark, bert, resumed);
    REQUIRE(more);
    more->data(R"({"to":"+33612345678","text":"x"})"
               "\n");
    REQUIRE(rig.store.accepting.size() == 1);
    CHECK(rig.store.accepting[0].command.message.owner == of_bert);
    rig.settle();
}

TEST_CASE("Roles: a sender uses only the client names that the configuration gives it") {
    ApiRig rig;
    const std::string message = R"({"to":"+33612345678","text":"x","client":"billing"})";
    rig.store.reader.client_rows = {{.id = ClientId{71}, .name = "billing"}};
    struct Case {
        const char* method;
        const char* path;
        std::string body;
    };
    for (const Case& it :
         {Case{"POST", "/v1/messages", message}, Case{"POST", "/v1/preview", message},
          Case{"POST", "/v1/clients/billing/heartbeat", ""}, Case{"GET", "/v1/clients/billing", ""},
          Case{"GET", "/v1/messages?client=billing", ""},
          Case{"GET", "/v1/events?client=billing", ""}}) {
        CAPTURE(it.path);
        const auto refused = rig.done_by(bert, it.method, it.path, it.body);
        CHECK(refused->answer.status == 403);
        CHECK(refused->json().at("detail").get<std::string>().contains("user = "));
        CHECK(rig.done_by(anna, it.method, it.path, it.body)->answer.status < 300);
        CHECK(rig.done_by(boss, it.method, it.path, it.body)->answer.status < 300);
    }
    CHECK(status_of(rig, bert, "POST", "/v1/clients/billing/ack", R"({"id":1})") == 403);
    // Reading is not listening in its place, which would move its cursor.
    CHECK(status_of(rig, reader, "GET", "/v1/clients/billing") == 200);
    CHECK(status_of(rig, reader, "GET", "/v1/messages?client=billing") == 200);
    CHECK(status_of(rig, reader, "GET", "/v1/events?client=billing") == 403);
    CHECK(status_of(rig, reader, "POST", "/v1/clients/billing/ack", R"({"id":1})") == 403);
    const auto header =
        rig.done_by(bert, "POST", "/v1/messages", R"({"to":"+33612345678","text":"x"})",
                    {{"smsrack-client", "billing"}});
    CHECK(header->answer.status == 403);
}

TEST_CASE("Roles: another account's message is as unknown as one that does not exist") {
    ApiRig rig;
    for (const char* const path : {"/v1/messages/7", "/v1/messages/7/explain"}) {
        CAPTURE(path);
        put_message(rig, 7, of_anna);
        CHECK(status_of(rig, anna, "GET", path) == 200);
        CHECK(status_of(rig, reader, "GET", path) == 200);
        const auto refused = rig.done_by(bert, "GET", path);
        CHECK(refused->answer.status == 404);
        CHECK(refused->answer.body == rig.done_by(bert, "GET", "/v1/messages/8")->answer.body);
        put_message(rig, 7, std::nullopt);  // of before owners were kept
        CHECK(status_of(rig, anna, "GET", path) == 404);
        put_message(rig, 7, OwnerId{});  // root's
        CHECK(status_of(rig, anna, "GET", path) == 404);
        put_message(rig, 7, of_bert, "billing");  // by a name that is anna's
        CHECK(status_of(rig, anna, "GET", path) == 200);
    }
    put_message(rig, 7, of_anna);
    CHECK(rig.done_by(bert, "GET", "/v1/messages")->json().at("messages").empty());
    CHECK(rig.done_by(anna, "GET", "/v1/messages")->json().at("messages").size() == 1);
    CHECK(rig.done_by(reader, "GET", "/v1/messages")->json().at("messages").size() == 1);
}

TEST_CASE("Roles: only its own account and administrators cancel a message") {
    ApiRig rig;
    put_message(rig, 7, of_anna);
    CHECK(status_of(rig, bert, "DELETE", "/v1/messages/7") == 404);
    CHECK(status_of(rig, reader, "DELETE", "/v1/messages/7") == 403);
    CHECK(rig.store.finished.empty());
    CHECK(status_of(rig, anna, "DELETE", "/v1/messages/7") == 200);
    CHECK(status_of(rig, boss, "DELETE", "/v1/messages/7") == 200);
    CHECK(rig.store.finished.size() == 2);
}

TEST_CASE("Roles: only its own account and administrators replace a message") {
    ApiRig rig;
    put_message(rig, 7, of_anna);
    const auto status = [&](const wire::Peer& peer) {
        return status_of(rig, peer, "PUT", "/v1/messages/7", R"({"text":"other"})");
    };
    CHECK(status(bert) == 404);
    CHECK(status(reader) == 403);
    CHECK(rig.store.replaced.empty());
    CHECK(status(anna) == 200);
    CHECK(status(boss) == 200);
    CHECK(rig.store.replaced.size() == 2);
}

TEST_CASE("Roles: a sender's stream has the events of its own messages, live and replayed") {
    ApiRig rig;
    rig.store.reader.client_rows = {{.id = ClientId{71}, .name = "billing"}};
    rig.commit_events({event(1, of_anna),
                       event(2, of_bert),
                       event(3, OwnerId{}),
                       event(4, std::nullopt, ClientId{71}),
                       {.seq = EventSeq{5}, .type = EventType::message_received},
                       {.seq = EventSeq{6}, .type = EventType::modem_state, .modem = "m1"}});
    const auto replayed = rig.done_by(anna, "GET", "/v1/events", "", {{"last-event-id", "0"}});
    CHECK(ids(replayed->written) == Ids{1});
    const auto live = rig.done_by(bert, "GET", "/v1/events");
    const auto all = rig.done_by(reader, "GET", "/v1/events", "", {{"last-event-id", "0"}});
    CHECK(ids(all->written) == Ids{1, 2, 3, 4, 5, 6});
    rig.commit_events({event(7, of_bert), event(8, of_anna), event(9, std::nullopt)});
    rig.settle();
    CHECK(ids(live->written) == Ids{7});
    CHECK(ids(replayed->written) == Ids{1, 8});
    const auto named = rig.done_by(anna, "GET", "/v1/events?client=billing");
    CHECK(ids(named->written) == Ids{4});

    SUBCASE("what it can't get is refused, not silent") {
        CHECK(status_of(rig, anna, "GET", "/v1/events?types=message.received") == 403);
        CHECK(status_of(rig, anna, "GET", "/v1/events?types=message.sent,modem.state") == 403);
        CHECK(status_of(rig, anna, "GET", "/v1/events?client=billing&all=true") == 403);
        CHECK(rig.done_by(anna, "GET", "/v1/events?types=message.sent")->streaming);
    }
    SUBCASE("it stays so when another process resumes it, where the caller is judged again") {
        ApiRig next;
        next.store.reader.client_rows = rig.store.reader.client_rows;
        next.commit_events(rig.store.reader.event_rows);
        const auto resumed = std::make_shared<FakeResponder>();
        next.responders.push_back(resumed);
        CHECK(next.api.resume(live->mark(), bert, resumed) == nullptr);
        next.commit_events({event(10, of_anna), event(11, of_bert)});
        next.settle();
        CHECK(ids(resumed->written) == Ids{11});

        const auto taken_away = std::make_shared<FakeResponder>();
        next.responders.push_back(taken_away);
        CHECK(next.api.resume(named->mark(), bert, taken_away) == nullptr);
        CHECK(taken_away->was_cut);
    }
}

}  // namespace smsrack::test
