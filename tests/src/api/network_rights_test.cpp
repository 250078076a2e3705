// Who may call what over the network. The table is made apart from the routes: a new call needs a row here.
#include "src/access/token.hpp"
#include "src/api/routes.hpp"
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>
#include <utility>

namespace smsrack::test {
namespace {

using access::Role;

/// The least that a caller must have.
enum class Needs : std::uint8_t {
    nothing,
    send,
    read,
    admin,
    admin_and_setting,  ///< [http] remote_at
    no_caller_may,      ///< the gate itself calls
};

struct Right {
    const char* method;
    const char* path;
    Needs needs;
};

constexpr std::array rights{
    Right{"GET", "/healthz", Needs::nothing},
    Right{"GET", "/readyz", Needs::nothing},
    Right{"POST", "/v1/messages", Needs::send},
    Right{"GET", "/v1/messages", Needs::send},
    Right{"GET", "/v1/messages/{id}", Needs::send},
    Right{"GET", "/v1/messages/{id}/explain", Needs::send},
    Right{"DELETE", "/v1/messages/{id}", Needs::send},
    Right{"PUT", "/v1/messages/{id}", Needs::send},
    Right{"POST", "/v1/messages/{id}/again", Needs::send},
    Right{"POST", "/v1/preview", Needs::send},
    Right{"POST", "/v1/triggers/{name}/events", Needs::send},
    Right{"GET", "/v1/events", Needs::send},
    Right{"GET", "/v1/openapi.json", Needs::send},
    Right{"GET", "/v1/session", Needs::send},
    Right{"GET", "/v1/clients/{name}", Needs::send},
    Right{"POST", "/v1/clients/{name}/ack", Needs::send},
    Right{"POST", "/v1/clients/{name}/heartbeat", Needs::send},
    Right{"GET", "/v1/inbox", Needs::read},
    Right{"GET", "/v1/inbox/{id}", Needs::read},
    Right{"GET", "/v1/conversations", Needs::read},
    Right{"GET", "/v1/conversations/{number}", Needs::read},
    Right{"GET", "/v1/history", Needs::read},
    Right{"GET", "/v1/attention", Needs::read},
    Right{"GET", "/v1/modems", Needs::read},
    Right{"GET", "/v1/modems/{name}", Needs::read},
    Right{"GET", "/v1/modems/{name}/history", Needs::read},
    Right{"GET", "/v1/scaling", Needs::read},
    Right{"GET", "/v1/batches", Needs::read},
    Right{"GET", "/v1/batches/{name}", Needs::read},
    Right{"GET", "/v1/clients", Needs::read},
    Right{"GET", "/v1/optouts", Needs::read},
    Right{"GET", "/v1/triggers", Needs::read},
    Right{"GET", "/v1/triggers/{name}", Needs::read},
    Right{"GET", "/v1/triggers/{name}/trace", Needs::read},
    Right{"GET", "/v1/status", Needs::read},
    Right{"GET", "/v1/box", Needs::read},
    Right{"GET", "/v1/cluster", Needs::read},
    Right{"GET", "/v1/cluster/boxes", Needs::read},
    Right{"GET", "/v1/cluster/check", Needs::read},
    Right{"POST", "/v1/cluster/boxes/{name}/drain", Needs::admin},
    Right{"POST", "/v1/cluster/boxes/{name}/resume", Needs::admin},
    Right{"POST", "/v1/cluster/boxes/{name}/dead", Needs::admin},
    Right{"POST", "/v1/cluster/boxes/{name}/leave", Needs::admin},
    Right{"POST", "/v1/cluster/boxes/{name}/upgrade", Needs::admin_and_setting},
    Right{"POST", "/v1/cluster/rebuild", Needs::admin},
    Right{"GET", "/v1/doctor", Needs::read},
    Right{"GET", "/v1/config", Needs::admin},
    Right{"GET", "/v1/log", Needs::admin},
    Right{"GET", "/v1/tokens", Needs::admin},
    Right{"DELETE", "/v1/tokens/{name}", Needs::admin},
    Right{"GET", "/metrics", Needs::read},
    Right{"GET", "/v1/audit", Needs::admin},
    Right{"POST", "/v1/modems/{name}/reset", Needs::admin},
    Right{"POST", "/v1/modems/{name}/drain", Needs::admin},
    Right{"POST", "/v1/modems/{name}/resume", Needs::admin},
    Right{"POST", "/v1/self-sms", Needs::admin},
    Right{"POST", "/v1/reload", Needs::admin},
    Right{"POST", "/v1/pause", Needs::admin},
    Right{"POST", "/v1/resume", Needs::admin},
    Right{"DELETE", "/v1/batches/{name}", Needs::admin},
    Right{"POST", "/v1/clients/{name}/block", Needs::admin},
    Right{"POST", "/v1/clients/{name}/open", Needs::admin},
    Right{"DELETE", "/v1/clients/{name}", Needs::admin},
    Right{"POST", "/v1/optouts", Needs::admin},
    Right{"DELETE", "/v1/optouts/{number}", Needs::admin},
    Right{"POST", "/v1/triggers/{name}/rebuild", Needs::admin},
    Right{"POST", "/v1/modems/{name}/at", Needs::admin_and_setting},
    Right{"POST", "/v1/modems/{name}/ussd", Needs::admin_and_setting},
    Right{"POST", "/v1/upgrade", Needs::admin_and_setting},
    Right{"GET", "/v1/webhooks", Needs::read},
    Right{"GET", "/v1/smpp", Needs::read},
    Right{"POST", "/v1/smpp/report", Needs::no_caller_may},
    Right{"POST", "/v1/smpp/{account}/unbind", Needs::admin},
    Right{"GET", "/v1/webhooks/{name}/deliveries", Needs::read},
    Right{"POST", "/v1/webhooks/{name}/replay", Needs::admin},
    Right{"POST", "/v1/webhooks/{name}/test", Needs::admin},
    Right{"POST", "/v1/webhooks/{name}/open", Needs::admin},
    Right{"POST", "/v1/webhooks/{name}/off", Needs::admin},
    Right{"POST", "/v1/webhooks/{name}/take", Needs::no_caller_may},
    Right{"POST", "/v1/webhooks/{name}/results", Needs::no_caller_may},
};

struct NetworkCaller {
    const char* name;  // of the token; null: none
    bool remote_at;
    Needs has;
};

constexpr std::array network_callers{
    NetworkCaller{nullptr, true, Needs::nothing},
    NetworkCaller{"sender", true, Needs::send},
    NetworkCaller{"reader", true, Needs::read},
    NetworkCaller{"boss", false, Needs::admin},
    NetworkCaller{"boss", true, Needs::admin_and_setting},
};

std::string token_of(const std::string& name) {
    return access::token_hash("the token of " + name);
}

/// With a value for {...}: of a client its own name, since others are another's.
std::string with_argument(std::string path, const NetworkCaller& caller) {
    const std::size_t begin = path.find('{');
    if (begin == std::string::npos) {
        return path;
    }
    const std::string value =
        path.starts_with("/v1/clients/") && caller.name != nullptr ? caller.name : std::string("7");
    return path.replace(begin, path.find('}') - begin + 1, value);
}

int status_over_network(ApiRig& rig, api::Api& api, const NetworkCaller& caller,
                        const Right& right) {
    static const wire::Peer gate{
        .uid = ApiRig::gate_uid, .gid = 985, .groups = {993}, .known = true};
    auto request = ApiRig::request_of(
        right.method, with_argument(right.path, caller),
        {{"smsrack-token", caller.name == nullptr ? "-" : token_of(caller.name)}});
    request.body = "{}";
    request.peer = &gate;
    const auto responder = std::make_shared<FakeResponder>();
    api.handle(std::move(request), responder);
    rig.settle();
    const int status = responder->answer.status;
    responder->revoke();  // a stream and its answer hold each other
    return status;
}

}  // namespace

TEST_CASE("Rights over the network: the table names every call, and no other") {
    std::set<std::pair<std::string, std::string>> in_table;
    for (const Right& right : rights) {
        CHECK(in_table.emplace(right.method, right.path).second);
    }
    std::set<std::pair<std::string, std::string>> in_routes;
    for (const api::Route& route : api::routes()) {
        in_routes.emplace(route.method, route.path);
    }
    CHECK(in_table == in_routes);
}

TEST_CASE("Rights over the network: each call, by a caller with each role") {
    for (const NetworkCaller& caller : network_callers) {
        ApiRig rig;
        rig.tokens.set({{.name = "sender", .role = Role::send, .hash = token_of("sender")},
                        {.name = "reader", .role = Role::read, .hash = token_of("reader")},
                        {.name = "boss", .role = Role::admin, .hash = token_of("boss")}});
        api::Api api{
            rig.parts(),
            {.access = {.own_uid = 990, .gate = ApiRig::gate_uid, .remote_at = caller.remote_at}}};
        for (const Right& right : rights) {
            CAPTURE(right.method);
            CAPTURE(right.path);
            CAPTURE(static_cast<int>(caller.has));
            const int status = status_over_network(rig, api, caller, right);
            if (caller.has >= right.needs) {
                CHECK(status != 401);
                CHECK(status != 403);
            } else {
                CHECK(status == (caller.name == nullptr ? 401 : 403));
            }
        }
    }
}

}  // namespace smsrack::test
