#include "src/api/routes.hpp"
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime noon = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 12h;

ports::MessageRow row(std::int64_t id) {
    return {
        .id = MessageId{id}, .to = "+33612345678", .state = MessageState::sent, .created_at = noon};
}

}  // namespace

TEST_CASE("GET /v1/messages: a page, and the cursor to the next, until null") {
    test::ApiRig rig;
    for (std::int64_t id = 5; id >= 1; --id) {
        rig.store.reader.message_rows.push_back(row(id));
    }
    std::string cursor;
    std::string ids;
    for (int pages = 0; pages < 3; ++pages) {
        const auto page = rig.done("GET", "/v1/messages?limit=2" + cursor)->json();
        for (const auto& message : page["messages"]) {
            ids += message["id"].get<std::string>();
        }
        CHECK(page["next"].is_null() == (pages == 2));
        cursor = page["next"].is_null() ? "" : "&cursor=" + page["next"].get<std::string>();
    }
    CHECK(ids == "54321");
}

TEST_CASE(
    "GET /v1/messages?details=true: rows with their segments, in smaller pages, each row once") {
    test::ApiRig rig;
    for (std::int64_t id = 300; id >= 1; --id) {
        rig.store.reader.message_rows.push_back(row(id));
    }
    auto& detail = rig.store.reader.detail;  // the others were removed for their age meanwhile
    detail.message = row(250);
    detail.segments = {{.index = 0, .state = MessageState::delivered, .tp_mr = 7}};
    const auto first = rig.done("GET", "/v1/messages?details=true&limit=1000")->json();
    CHECK(first["messages"].size() == 200);
    CHECK(first["messages"][0]["id"] == "300");
    CHECK(first["messages"][50]["segment_states"][0]["tp_mr"] == 7);
    CHECK(first["messages"][51]["segment_states"].empty());
    CHECK(first["next"] == "101");
    const auto second = rig.done("GET", "/v1/messages?details=true&limit=1000&cursor=101")->json();
    CHECK(second["messages"].size() == 100);
    CHECK(second["messages"][0]["id"] == "100");
    CHECK(second["next"].is_null());
    CHECK_FALSE(rig.done("GET", "/v1/messages?details=false&limit=1")
                    ->json()["messages"][0]
                    .contains("segment_states"));
}

TEST_CASE("GET /v1/messages: filters reach the store as it wants them") {
    test::ApiRig rig;
    rig.done(
        "GET",
        "/v1/messages?state=failed&to=06 12 34 56 78&ref=r&since=2026-11-21T12:00:00Z&limit=7");
    const auto& filter = rig.store.reader.last_filter;
    CHECK(filter.state == MessageState::failed);
    CHECK(filter.to == "+33612345678");
    CHECK(filter.ref == "r");
    CHECK(filter.since == noon);
    CHECK(filter.limit == 8);
}

TEST_CASE("Lists: wrong parameters are refused by name") {
    test::ApiRig rig;
    struct Case {
        std::string query;
        std::string code;
        std::string detail;
    };
    for (const Case& it : {
             Case{"limit=0", "bad_request", "limit:"},
             Case{"limit=1001", "bad_request", "limit:"},
             Case{"limit=ten", "bad_request", "limit:"},
             Case{"limit=", "bad_request", "limit:"},
             Case{"since=yesterday", "bad_request", "since:"},
             Case{"cursor=x", "bad_request", "cursor:"},
             Case{"colour=red", "bad_request", "unknown query parameter: colour"},
             Case{"\xff=red", "bad_request", "unknown query parameter"},
             Case{"limit=1&limit=2", "bad_request", "limit: given twice"},
         }) {
        for (const std::string path : {"/v1/messages?", "/v1/inbox?"}) {
            CAPTURE(path);
            CAPTURE(it.query);
            const auto answer = rig.done("GET", path + it.query);
            CHECK(answer->answer.status == 400);
            CHECK(answer->json()["code"] == it.code);
            CHECK(answer->json()["detail"].get<std::string>().starts_with(it.detail));
        }
    }
    CHECK(rig.done("GET", "/v1/messages?state=lost")->answer.status == 400);
    CHECK(rig.done("GET", "/v1/messages?to=nobody")->json()["code"] == "bad_number");
    CHECK(rig.done("GET", "/v1/messages?limit=1000")->answer.status == 200);
    CHECK(rig.done("GET", "/v1/messages?details=yes")->json()["detail"] ==
          "details: true or false");
}

TEST_CASE("GET /v1/messages/{id}: the message with its text, history, attempts and segments") {
    test::ApiRig rig;
    auto& detail = rig.store.reader.detail;
    detail.message = row(42);
    detail.message.state = MessageState::uncertain;
    detail.message.due_at = noon + 1min;
    detail.message.detail = "outcome_unknown";
    detail.message.body = {.to = "+33612345678", .text = "hé", .message_class = 1};
    detail.message.note = "order 7";
    detail.segments = {{.index = 0, .state = MessageState::uncertain, .tp_mr = 7}};
    detail.attempts = {{.number = 1,
                        .modem = "m3",
                        .started_at = noon,
                        .outcome = {.kind = OutcomeKind::unknown}}};
    detail.history = {
        {.at = noon, .state = MessageState::queued},
        {.at = noon + 5ms, .state = MessageState::sending, .modem = "m3", .attempt = 1},
        {.at = noon + 2s,
         .state = MessageState::uncertain,
         .cause = {.kind = CodeKind::cms, .code = 332}},
    };
    const auto message = rig.done("GET", "/v1/messages/42")->json();
    CHECK(message["id"] == "42");
    CHECK(message["text"] == "hé");
    CHECK(message["note"] == "order 7");
    CHECK(message["class"] == 1);
    CHECK(message["code"] == "outcome_unknown");
    CHECK(message["uncertain_until"] == "2026-11-21T12:01:00.000Z");
    REQUIRE(message["history"].size() == 3);
    CHECK(message["history"][1]["at"] == "2026-11-21T12:00:00.005Z");
    CHECK(message["history"][1]["modem"] == "m3");
    CHECK(message["history"][1]["segment"] == 1);
    CHECK(message["history"][2]["code"] == "cms_332");
    CHECK_FALSE(message["history"][2]["cause"].get<std::string>().empty());
    CHECK(message["attempts"][0]["outcome"] == "unknown");
    CHECK(message["attempts"][0]["ended_at"].is_null());
    CHECK(message["segment_states"][0]["tp_mr"] == 7);

    for (const std::string path : {"/v1/messages/43", "/v1/messages/abc", "/v1/messages/-1",
                                   "/v1/messages/0", "/v1/messages/99999999999999999999"}) {
        CAPTURE(path);
        const auto answer = rig.done("GET", path);
        CHECK(answer->answer.status == 404);
        CHECK(answer->json()["code"] == "not_found");
    }
}

TEST_CASE("DELETE /v1/messages/{id}: cancels, or says that it is too late") {
    test::ApiRig rig;
    auto answer = rig.done("DELETE", "/v1/messages/42");
    CHECK(answer->answer.status == 200);
    CHECK(answer->answer.body == R"({"id":"42","state":"cancelled"})");
    rig.store.finish_result = fail(Errc::conflict, "it is on a line");
    answer = rig.done("DELETE", "/v1/messages/42");
    CHECK(answer->answer.status == 409);
    CHECK(answer->json()["code"] == "conflict");
    CHECK(rig.done("DELETE", "/v1/messages/x")->answer.status == 404);
    CHECK(rig.store.finished.size() == 2);
}

TEST_CASE("GET /v1/inbox: text, data, and what is missing") {
    test::ApiRig rig;
    rig.store.reader.inbox_rows = {
        {.id = InboxId{1},
         .from = "+33611111111",
         .to = "+33622222222",
         .modem = "m0",
         .content = {.text = "yes"},
         .scts_text = "2026-11-21T13:00:00+01:00",
         .received_at = noon,
         .reply_to = MessageId{9}},
        {.id = InboxId{2},
         .content = {.data = std::string("\x01\xab", 2), .is_data = true},
         .incomplete = true,
         .maybe_repeat = true},
    };
    const auto page = rig.done("GET", "/v1/inbox")->json();
    REQUIRE(page["messages"].size() == 2);
    CHECK(page["messages"][0]["text"] == "yes");
    CHECK(page["messages"][0]["reply_to"] == "9");
    CHECK(page["messages"][0]["received_at"] == "2026-11-21T12:00:00.000Z");
    CHECK(page["messages"][0]["scts"] == "2026-11-21T13:00:00+01:00");
    CHECK(page["messages"][1]["data"] == "01AB");
    CHECK(page["messages"][1]["text"].is_null());
    CHECK(page["messages"][1]["incomplete"] == true);
    CHECK(page["messages"][1]["maybe_repeat"] == true);
    CHECK_FALSE(page["messages"][0].contains("maybe_repeat"));
    CHECK(page["messages"][1]["reply_to"].is_null());
    CHECK(page["next"].is_null());
    const auto first = rig.done("GET", "/v1/inbox?limit=1")->json();
    CHECK(first["next"] == "1");
    CHECK(rig.done("GET", "/v1/inbox?cursor=1")->json()["messages"][0]["id"] == "2");
}

TEST_CASE("GET /v1/modems: all lines, or the one of that name") {
    test::ApiRig rig;
    rig.rack.line_views = {
        {.name = "m0",
         .identity = {.imei = "350000000000006"},
         .signal_dbm = -71,
         .registration = ports::Registration::roaming,
         .link = ports::LinkState::active,
         .accepted = 12,
         .fallbacks = {.fast_baud = true}},
        {.name = "m1",
         .operator_name = "Caf\xe9",
         .link = ports::LinkState::pending,
         .reason = "sim_pin"},
    };
    const auto all = rig.done("GET", "/v1/modems")->json();
    REQUIRE(all["modems"].size() == 2);
    CHECK(all["modems"][0]["imei"] == "350000000000006");
    CHECK(all["modems"][0]["signal_dbm"] == -71);
    CHECK(all["modems"][0]["registration"] == "roaming");
    CHECK(all["modems"][0]["link"] == "active");
    CHECK(all["modems"][0]["manual"] == "open");
    CHECK(all["modems"][0]["accepted"] == 12);
    CHECK(all["modems"][0]["reason"].is_null());
    CHECK(all["modems"][0]["fallbacks"] == nlohmann::json{"fast_baud_off"});
    CHECK(all["modems"][1]["fallbacks"].empty());
    CHECK(all["modems"][1]["imei"].is_null());
    const auto one = rig.done("GET", "/v1/modems/m1")->json();
    CHECK(one["link"] == "pending");
    CHECK(one["reason"] == "sim_pin");
    CHECK(one["operator"] == "Caf?");
    CHECK(rig.done("GET", "/v1/modems/m2")->answer.status == 404);
}

TEST_CASE("GET /v1/status: counts, levels, rates and the model") {
    test::ApiRig rig;
    rig.clock.advance(90s);
    rig.store.state_counts[static_cast<std::size_t>(MessageState::delivered)] = 7;
    rig.rack.rack_status = {.rate_in = 3.86, .rate_out = 3.8, .ready = true};
    rig.rack.rack_status.levels[6] = {.depth = 4, .t_recent_ms = 1200};
    auto status = rig.done("GET", "/v1/status")->json();
    CHECK(status["version"] == "1.2.3");
    CHECK(status["uptime_s"] == 90);
    CHECK(status["messages"].size() == message_state_count);
    CHECK(status["messages"]["delivered"] == 7);
    CHECK(status["ready"] == true);
    REQUIRE(status["levels"].size() == 7);
    CHECK(status["levels"][6]["t_recent_ms"] == 1200);
    CHECK(status["levels"][6]["sla_ms"] == 1);
    CHECK(status["levels"][0]["t_recent_ms"].is_null());
    CHECK(status["rate_in"] == 3.86);
    CHECK(status["scaling"].is_null());
    CHECK(status["model"]["mu"].is_null());
    CHECK(status["model"]["ws_s"].is_null());
    CHECK(status["availability"]["accepting_s"] == 0);
    CHECK(status["availability"].size() == 6);
    rig.stats.add(stats::Counter::door_accepting, 60);
    rig.stats.add(stats::Counter::door_storage, 10);
    status = rig.done("GET", "/v1/status")->json();
    CHECK(status["availability"]["accepting_s"] == 60);
    CHECK(status["availability"]["storage_s"] == 10);

    rig.rack.line_views.assign(8, {.link = ports::LinkState::active});
    for (int i = 0; i < 10; ++i) {
        rig.stats.observe(stats::Timing::send, 625ms);
    }
    status = rig.done("GET", "/v1/status")->json();
    CHECK(status["model"]["mu"] == 1.6);
    CHECK(status["model"]["servers"] == 8);
    CHECK(status["model"]["ws_s"].get<double>() > 0.625);
    CHECK(status["model"]["ws_s"].get<double>() < 0.64);
}

TEST_CASE("GET /v1/status: the servers of the model are the lines that take work") {
    test::ApiRig rig;
    using ports::LinkState;
    using ports::ManualState;
    rig.rack.line_views = {
        {.name = "works", .link = LinkState::active},
        {.name = "works too", .link = LinkState::active, .busy = true},
        {.name = "parked",
         .link = LinkState::active,
         .manual = ManualState::blocked,
         .parked = true},
        {.name = "drained", .link = LinkState::active, .manual = ManualState::blocked},
        {.name = "rests", .link = LinkState::active, .pause = ports::LinePause{.reason = "quota"}},
        {.name = "lost", .link = LinkState::pending},
    };
    rig.rack.rack_status = {.rate_in = 0.5,
                            .measured = ports::MeasuredWaits{.messages = 9, .mu = 1}};
    const auto model = rig.done("GET", "/v1/status")->json()["model"];
    CHECK(model["servers"] == 2);
    CHECK(model["rho"] == 0.25);
    const std::string metrics = rig.done("GET", "/metrics")->answer.body;
    CHECK(metrics.contains("smsrack_wait_seconds{of=\"mmc\"} 0.0666"));  // Wq of M/M/2
}

TEST_CASE("GET /metrics: what the scaling controller wants, has and parks, and why it decided") {
    test::ApiRig rig;
    CHECK_FALSE(rig.done("GET", "/metrics")->answer.body.contains("smsrack_scaling_lines"));
    rig.rack.scaling_view = {
        .enabled = true, .n = 3, .y = 4, .parked = {"m3", "m4"}, .t_ready = 1'500ms};
    rig.stats.add(stats::Counter::scaling_promise, 2);
    const std::string metrics = rig.done("GET", "/metrics")->answer.body;
    for (const char* const line : {
             "smsrack_scaling_lines{state=\"wanted\"} 4\n",
             "smsrack_scaling_lines{state=\"active\"} 3\n",
             "smsrack_scaling_lines{state=\"parked\"} 2\n",
             "smsrack_scaling_ready_seconds 1.5\n",
             "smsrack_scaling_decisions_total{reason=\"promise\"} 2\n",
             "smsrack_scaling_decisions_total{reason=\"crash\"} 0\n",
         }) {
        CAPTURE(line);
        CHECK(metrics.contains(line));
    }
}

TEST_CASE("healthz answers, readyz says why not") {
    test::ApiRig rig;
    CHECK(rig.done("GET", "/healthz")->json()["status"] == "ok");
    rig.rack.line_views = {{.name = "m0", .reason = "sim_pin", .detail = "The SIM wants its PIN."}};
    auto answer = rig.done("GET", "/readyz");
    CHECK(answer->answer.status == 503);
    CHECK(answer->json()["ready"] == false);
    CHECK(answer->json()["lines"][0]["reason"] == "sim_pin");
    CHECK(answer->json()["conditions"].empty());
    rig.rack.rack_status.ready = true;
    answer = rig.done("HEAD", "/readyz");
    CHECK(answer->answer.status == 200);
}

TEST_CASE("healthz, readyz, status and the metrics name what is wrong, and what to do") {
    test::ApiRig rig;
    rig.rack.rack_status.conditions = {{.kind = ports::ConditionKind::disk_full,
                                        .subject = "disk",
                                        .text = "the disk is full",
                                        .advice = "make room",
                                        .stops = ports::Stops::all,
                                        .since = WallTime{1'800'000'000'000ms}}};
    for (const char* path : {"/healthz", "/readyz", "/v1/status"}) {
        CAPTURE(path);
        const auto condition = rig.done("GET", path)->json().at("conditions").at(0);
        CHECK(condition["condition"] == "disk_full");
        CHECK(condition["subject"] == "disk");
        CHECK(condition["stops"] == "all");
        CHECK(condition["text"] == "the disk is full");
        CHECK(condition["advice"] == "make room");
        CHECK(condition["since"] == "2027-01-15T08:00:00.000Z");
    }
    CHECK(rig.done("GET", "/metrics")
              ->answer.body.contains(
                  "smsrack_condition{condition=\"disk_full\",subject=\"disk\",stops=\"all\","
                  "severity=\"critical\"} 1\n"));
    // No restart cures a full disk, so the watchdogs of others shall not try; a late thread may be cured.
    CHECK(rig.done("GET", "/healthz")->answer.status == 200);
    CHECK(rig.done("GET", "/healthz")->json()["status"] == "degraded");
    rig.rack.rack_status.conditions[0].kind = ports::ConditionKind::late;
    CHECK(rig.done("GET", "/healthz")->answer.status == 503);
    CHECK(rig.done("GET", "/healthz")->json()["status"] == "failing");
}

TEST_CASE("GET /metrics: no number and no text in it, lines by name, each family once") {
    test::ApiRig rig;
    rig.rack.line_views = {{.name = "m0",
                            .identity = {.iccid = "8933150319100000001", .number = "+33699999999"},
                            .link = ports::LinkState::active,
                            .accepted = 5},
                           {.name = "m1"}};
    rig.done("POST", "/v1/messages", R"({"to":"+33612345678","text":"secret"})");
    const auto answer = rig.done("GET", "/metrics");
    const std::string& text = answer->answer.body;
    CHECK(answer->answer.content_type.starts_with("text/plain; version=0.0.4"));
    CHECK(text.contains("smsrack_slot_state{slot=\"m0\",state=\"active\"} 1\n"));
    CHECK(text.contains("smsrack_slot_state{slot=\"m1\",state=\"active\"} 0\n"));
    CHECK(text.contains("smsrack_attempts_total{slot=\"m0\",outcome=\"accepted\"} 5\n"));
    CHECK(text.contains("smsrack_messages_submitted_total{result=\"accepted\"} 1\n"));
    CHECK(text.contains("smsrack_build_info{version=\"1.2.3\"} 1\n"));
    for (const char* hidden : {"secret", "33612345678", "33699999999", "8933150319100000001"}) {
        CHECK_FALSE(text.contains(hidden));
    }
    std::set<std::string> families;
    for (std::size_t at = text.find("# TYPE "); at != std::string::npos;
         at = text.find("# TYPE ", at + 1)) {
        const std::size_t from = at + 7;
        CHECK(families.insert(text.substr(from, text.find(' ', from) - from)).second);
    }
}

TEST_CASE("What is not here is 404, a wrong method 405 with those that are allowed") {
    test::ApiRig rig;
    for (const std::string path : {"/", "/v1", "/v1/messages/", "/v1/messages/1/x",
                                   "/v1/modems/m0/x", "/v1/modems//at", "/v2/messages", "*"}) {
        CAPTURE(path);
        CHECK(rig.done("GET", path)->answer.status == 404);
    }
    CHECK(rig.done("POST", "/v1/modems/m0/stop")->answer.status == 404);
    const auto answer = rig.done("PUT", "/v1/messages");
    CHECK(answer->answer.status == 405);
    REQUIRE(answer->answer.headers.size() == 1);
    CHECK(answer->answer.headers[0].value == "POST, GET");
}

TEST_CASE("openapi.json describes every call with its role, and no other") {
    test::ApiRig rig;
    const auto served = rig.done("GET", "/v1/openapi.json")->json();
    CHECK(served["openapi"] == "3.1.0");
    std::set<std::string> described;
    for (const auto& [path, methods] : served["paths"].items()) {
        for (const auto& [method, call] : methods.items()) {
            std::string name = method;
            for (char& c : name) {
                c = static_cast<char>(c & ~0x20);
            }
            described.insert(name + " " + path + " " + call.at("x-role").get<std::string>());
            CHECK(call.contains("responses"));
        }
    }
    std::set<std::string> routed;
    for (const api::Route& route : api::routes()) {
        routed.insert(std::string(route.method) + " " + std::string(route.path) + " " +
                      std::string(access::role_name(route.role)));
    }
    CHECK(described == routed);
}

TEST_CASE(
    "openapi.json: each call has a tag, an id of its own, who may call, and what each call can be "
    "refused with") {
    const auto all = wire::parse_json(api::openapi_json()).value();
    std::set<std::string> tags;
    for (const auto& tag : all.at("tags")) {
        tags.insert(tag.at("name"));
    }
    std::set<std::string> ids;
    for (const api::Route& route : api::routes()) {
        CAPTURE(route.method);
        CAPTURE(route.path);
        const auto call = test::description_of(route);
        CHECK(ids.insert(call.at("operationId")).second);
        REQUIRE(call.at("tags").size() == 1);
        CHECK(tags.contains(call.at("tags")[0]));
        CHECK(call.at("security")[0].at("account")[0] ==
              std::string(access::role_name(route.role)));
        const auto& responses = call.at("responses");
        for (const char* status : {"400", "401", "403", "408", "413", "417", "431", "503", "505"}) {
            CAPTURE(status);
            CHECK(responses.contains(status));
        }
        if (route.path.contains('{')) {
            CHECK(responses.contains("404"));
        }
        for (const auto& [status, response] : responses.items()) {
            if (response.contains("$ref")) {
                const std::string name = response.at("$ref");
                CHECK(all.at("components")
                          .at("responses")
                          .contains(name.substr(name.rfind('/') + 1)));
            }
        }
    }
    const auto& schemes = all.at("components").at("securitySchemes");
    CHECK(schemes.contains("account"));
    CHECK(schemes.contains("token"));
}
