// What administrators did is kept with what it was answered, and listed.
#include "src/api/audit.hpp"

#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

const wire::Peer boss{.uid = 1004, .gid = 991, .known = true};

}  // namespace

TEST_CASE("audit: each changing call of an administrator is a row with its caller and its status") {
    test::ApiRig rig;
    const WallTime called_at = rig.clock.wall();
    struct Case {
        const char* method;
        const char* path;
        const char* body;
        const char* call;
        int status;
    };
    std::size_t rows = 0;
    for (const Case& it : {
             Case{"POST", "/v1/modems/m1/drain", "", "POST /v1/modems/m1/drain", 202},
             Case{"POST", "/v1/modems/m9/drain", "", "POST /v1/modems/m9/drain", 404},
             Case{"POST", "/v1/pause", R"({"group":"default"})", "POST /v1/pause", 200},
             Case{"POST", "/v1/optouts", R"({"number":"+33612345678"})", "POST /v1/optouts", 200},
             Case{"DELETE", "/v1/optouts/+33612345678", "", "DELETE /v1/optouts/+336*****678", 200},
             Case{"DELETE", "/v1/optouts/36180", "", "DELETE /v1/optouts/*****", 200},
             Case{"POST", "/v1/reload", "", "POST /v1/reload", 409},
         }) {
        CAPTURE(it.path);
        CHECK(rig.done_by(boss, it.method, it.path, it.body)->answer.status == it.status);
        REQUIRE(rig.audit.rows.size() == ++rows);
        CHECK(rig.audit.rows.back().at == called_at);
        CHECK(rig.audit.rows.back().caller == "uid 1004");
        CHECK(rig.audit.rows.back().call == it.call);
        CHECK(rig.audit.rows.back().status == it.status);
    }
    rig.done("POST", "/v1/resume");
    CHECK(rig.audit.rows.back().caller == "root");
}

TEST_CASE("audit: reading, sending and what others may not do are no rows") {
    test::ApiRig rig;
    rig.done("GET", "/v1/modems");
    rig.done("GET", "/v1/audit");
    rig.done("POST", "/v1/messages", R"({"to":"+33612345678","text":"hello"})");
    CHECK(rig.done_by(rig.sender, "POST", "/v1/pause")->answer.status == 403);
    CHECK(rig.audit.rows.empty());
}

TEST_CASE("audit: an answer goes out although the disk refuses its row, which is counted") {
    test::ApiRig rig;
    rig.audit.is_full = true;
    CHECK(rig.done("POST", "/v1/pause")->answer.status == 200);
    CHECK(rig.stats.value(stats::Counter::audit_rows_lost) == 1);
}

TEST_CASE("audit: an order that the next process answers is a row there") {
    test::ApiRig rig;
    for (const char* mark : {"upgrade", "reload"}) {
        CAPTURE(mark);
        const auto responder = std::make_shared<test::FakeResponder>();
        rig.responders.push_back(responder);
        CHECK(rig.api.resume(mark, boss, responder) == nullptr);
        CHECK(responder->answered);
        REQUIRE_FALSE(rig.audit.rows.empty());
        CHECK(rig.audit.rows.back().call == "POST /v1/" + std::string(mark));
        CHECK(rig.audit.rows.back().caller == "uid 1004");
        CHECK(rig.audit.rows.back().status == responder->answer.status);
    }
}

TEST_CASE("GET /v1/audit: pages, newest first, since a time") {
    test::ApiRig rig;
    for (int i = 0; i < 5; ++i) {
        rig.done("POST", i % 2 == 0 ? "/v1/pause" : "/v1/resume");
    }
    const auto first = rig.done("GET", "/v1/audit?limit=2&since=2026-11-21T12:00:00Z")->json();
    CHECK(rig.audit.last_filter.since.has_value());
    REQUIRE(first["audit"].size() == 2);
    CHECK(first["audit"][0]["id"] == "5");
    CHECK(first["audit"][0]["call"] == "POST /v1/pause");
    CHECK(first["audit"][0]["caller"] == "root");
    CHECK(first["audit"][0]["status"] == 200);
    CHECK(first["audit"][1]["call"] == "POST /v1/resume");
    CHECK(first["next"] == "4");
    const auto rest = rig.done("GET", "/v1/audit?limit=100&cursor=4")->json();
    CHECK(rest["audit"].size() == 3);
    CHECK(rest["next"].is_null());
    CHECK(rig.done("GET", "/v1/audit?limit=0")->answer.status == 400);
}
