#include "src/api/submit/submitter.hpp"
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("POST /v1/messages: 202 comes after the commit, not before") {
    test::ApiRig rig;
    const auto answer = rig.call("POST", "/v1/messages", R"({"to":"+33612345678","text":"hello"})");
    rig.loop.run_all();
    CHECK_FALSE(answer->answered);
    REQUIRE(rig.store.accepting.size() == 1);
    CHECK(rig.store.accepting[0].command.message.body.to == "+33612345678");
    rig.store.commit_one(ports::Accepted{.id = MessageId{9'007'199'254'740'993}, .segments = 2});
    CHECK_FALSE(answer->answered);
    rig.loop.run_all();
    REQUIRE(answer->answered);
    CHECK(answer->answer.status == 202);
    CHECK(answer->answer.body == R"({"id":"9007199254740993","state":"queued","segments":2})");
    CHECK(rig.stats.value(stats::Counter::messages_accepted) == 1);
    CHECK(rig.stats.histogram(stats::Timing::intake).snapshot().total == 1);
}

TEST_CASE("POST /v1/messages: what one commit answers reaches the loop as one job") {
    test::ApiRig rig;
    for (int i = 0; i < 10; ++i) {
        rig.call("POST", "/v1/messages", R"({"to":"+33612345678","text":"hello"})");
    }
    rig.store.commit_all();
    CHECK(rig.loop.run_all() == 1);
    CHECK(rig.stats.value(stats::Counter::messages_accepted) == 10);
}

TEST_CASE("POST /v1/messages: every member arrives") {
    test::ApiRig rig;
    rig.call(
        "POST", "/v1/messages",
        R"({"to":"06 12 34 56 78","data":"00fF","priority":6,"ref":"r1","ttl_s":60,"report":false,"class":1,
                "ports":{"dst":2948,"src":9200,"bits":16},"group":"default","not_before":"2026-01-02T00:00:00Z",
                "allow_duplicate":true,"note":"order 7"})");
    REQUIRE(rig.store.accepting.size() == 1);
    const NewMessage& message = rig.store.accepting[0].command.message;
    CHECK(message.body.to == "+33612345678");
    CHECK(message.body.is_data);
    CHECK(message.body.data == std::string("\x00\xff", 2));
    CHECK(message.level == 6);
    CHECK(message.ref == "r1");
    CHECK(message.note == "order 7");
    CHECK_FALSE(message.body.report);
    CHECK(message.body.message_class == 1);
    REQUIRE(message.body.ports.has_value());
    CHECK(message.body.ports->dst == 2948);
    CHECK(message.body.ports->src == 9200);
    REQUIRE(message.not_before.has_value());
    CHECK(message.expires_at == *message.not_before + 60s);
}

TEST_CASE("POST /v1/messages: the same ref with another note is another request") {
    test::ApiRig rig;
    const auto fingerprint = [&](const std::string& more) {
        rig.call("POST", "/v1/messages",
                 R"({"to":"+33612345678","text":"hello","ref":"r1")" + more + "}");
        return rig.store.accepting.back().command.message.fingerprint;
    };
    const std::uint64_t without = fingerprint("");
    const std::uint64_t with = fingerprint(R"(,"note":"a")");
    CHECK(with != without);
    CHECK(with != fingerprint(R"(,"note":"b")"));
    CHECK(with != fingerprint(R"(,"batch":"a")"));
    CHECK(with == fingerprint(R"(,"note":"a")"));
    const std::string longest(512, 'n');
    fingerprint(R"(,"note":")" + longest + "\"");
    CHECK(rig.store.accepting.back().command.message.note == longest);
}

TEST_CASE("POST /v1/messages: a part of a long message, and a header of the client, arrive") {
    test::ApiRig rig;
    rig.call("POST", "/v1/messages",
             R"({"to":"+33612345678","text":"hello","concat":{"key":"k7","of":3,"part":2},)"
             R"("udh":"05040b8423f0","ref":"r1","pid":71})");
    REQUIRE(rig.store.accepting.size() == 1);
    const NewMessage& message = rig.store.accepting[0].command.message;
    REQUIRE(message.body.part);
    CHECK(message.body.part->total == 3);
    CHECK(message.body.part->number == 2);
    CHECK(message.part_key == "k7");
    CHECK(message.body.pid == 71);
    CHECK(message.body.elements == std::string("\x05\x04\x0b\x84\x23\xf0", 6));
    CHECK_FALSE(message.waits_for_parts);  // that is for the store to say
    const std::uint64_t fingerprint = message.fingerprint;
    for (const char* other :
         {R"("concat":{"key":"k8","of":3,"part":2},"udh":"05040b8423f0")",
          R"("concat":{"key":"k7","of":4,"part":2},"udh":"05040b8423f0")",
          R"("concat":{"key":"k7","of":3,"part":1},"udh":"05040b8423f0")",
          R"("concat":{"key":"k7","of":3,"part":2},"udh":"05040b8423f1")",
          R"("concat":{"key":"k7","of":3,"part":2})",
          R"("concat":{"key":"k7","of":3,"part":2},"udh":"05040b8423f0","pid":65)"}) {
        rig.call("POST", "/v1/messages",
                 R"({"to":"+33612345678","text":"hello","ref":"r1",)" + std::string(other) + "}");
        CHECK(rig.store.accepting.back().command.message.fingerprint != fingerprint);
    }
}

TEST_CASE("POST /v1/messages: what is wrong is refused by name, and nothing is kept") {
    struct Case {
        std::string body;
        std::string code;
        std::string detail;  ///< begin of it
    };
    const std::string to = R"({"to":"+33612345678",)";
    for (const Case& it : {
             Case{"", "bad_request", "not one JSON value"},
             Case{"[]", "bad_request", "not a JSON object"},
             Case{"{}", "bad_request", "to: missing"},
             Case{R"({"to":"+33612345678"})", "bad_request", "text: missing"},
             Case{to + R"("text":"a","data":"00"})", "bad_request", "text and data: only one"},
             Case{to + R"("text":""})", "bad_request", "text: empty"},
             Case{to + R"("data":"0"})", "bad_request", "data: an odd number"},
             Case{to + R"("data":"0g"})", "bad_request", "data: not hexadecimal"},
             Case{to + R"("text":5})", "bad_request", "text: must be a string"},
             Case{to + R"("text":"a","note":""})", "bad_request", "note: empty"},
             Case{to + R"("text":"a","concat":7})", "bad_request", "concat: must be an object"},
             Case{to + R"("text":"a","concat":{"of":2,"part":1}})", "bad_request", "concat.key: "},
             Case{to + R"("text":"a","concat":{"key":"","of":2,"part":1}})", "bad_request",
                  "concat.key: "},
             Case{to + R"("text":"a","concat":{"key":")" + std::string(65, 'k') +
                      R"(","of":2,"part":1}})",
                  "bad_request", "concat.key: "},
             Case{to + R"("text":"a","concat":{"key":"k","of":1,"part":1}})", "bad_request",
                  "concat.of: "},
             Case{to + R"("text":"a","concat":{"key":"k","of":256,"part":1}})", "bad_request",
                  "concat.of: "},
             Case{to + R"("text":"a","concat":{"key":"k","of":2,"part":0}})", "bad_request",
                  "concat.part: "},
             Case{to + R"("text":"a","concat":{"key":"k","of":2,"part":3}})", "bad_request",
                  "concat.part: "},
             Case{to + R"("text":")" + std::string(154, 'x') +
                      R"(","concat":{"key":"k","of":2,"part":1}})",
                  "too_long", "concat: a part must fit into one segment"},
             Case{to + R"("text":"a","pid":64})", "bad_request", "pid: not 65 to 71"},
             Case{to + R"("text":"a","pid":72})", "bad_request", "pid: not 65 to 71"},
             Case{to + R"("text":"a","udh":"0"})", "bad_request", "udh: an odd number"},
             Case{to + R"("text":"a","udh":""})", "bad_request", "udh: empty"},
             Case{to + R"("text":"a","udh":"0504"})", "bad_request", "udh: not elements"},
             Case{to + R"("text":"a","udh":"0003010201"})", "bad_request", "udh: the place"},
             Case{to + R"("text":"a","udh":"080401020201"})", "bad_request", "udh: the place"},
             Case{to + R"("text":"a","note":")" + std::string(513, 'n') + R"("})", "bad_request",
                  "note: longer than 512 octets"},
             Case{to + R"("text":null})", "bad_request", "text: must be a string"},
             Case{to + R"("text":["a"]})", "bad_request", "text: must be a string"},
             Case{to + R"("text":"a","priority":7})", "bad_request", "priority: "},
             Case{to + R"("text":"a","priority":3.5})", "bad_request",
                  "priority: must be a whole number"},
             Case{to + R"("text":"a","priority":"3"})", "bad_request",
                  "priority: must be a whole number"},
             Case{to + R"("text":"a","report":1})", "bad_request", "report: must be true or false"},
             Case{to + R"("text":"a","class":4})", "bad_request", "class: "},
             Case{to + R"("text":"a","ttl_s":0})", "bad_request", "ttl_s: "},
             Case{to + R"("text":"a","ref":""})", "bad_request", "ref: empty"},
             Case{to + R"("text":"a","ports":3})", "bad_request", "ports: must be an object"},
             Case{to + R"("text":"a","ports":{"src":3}})", "bad_request", "ports.dst: missing"},
             Case{to + R"("text":"a","ports":{"dst":65536}})", "bad_request",
                  "ports.dst: not 0 to 65535"},
             Case{to + R"("text":"a","ports":{"dst":1,"bits":8}})", "bad_request",
                  "ports.bits: only 16"},
             Case{to + R"("text":"a","not_before":"tomorrow"})", "bad_request",
                  "not_before: not a time"},
             Case{to + R"("text":"a","group":"nobody"})", "bad_request", "group: "},
             Case{to + R"("text":"a","colour":"red"})", "bad_request", "unknown member: colour"},
             Case{to + R"("text":"a","text":"b"})", "bad_request", "text: given twice"},
             Case{to + "\"text\":\"\xc3(\"}", "bad_encoding", "text: not valid UTF-8"},
             Case{R"({"to":"hello","text":"a"})", "bad_number", ""},
             Case{R"({"to":"","text":"a"})", "bad_number", ""},
             Case{to + R"("text":")" + std::string(5000, 'x') + "\"}", "too_long", ""},
         }) {
        CAPTURE(it.body);
        test::ApiRig rig;
        const auto answer = rig.done("POST", "/v1/messages", it.body);
        CHECK(rig.store.accepting.empty());
        CHECK(rig.store.last_id == 0);
        REQUIRE(answer->answered);
        CHECK(answer->answer.status == 400);
        CHECK(answer->answer.content_type == "application/problem+json");
        CHECK(answer->json()["code"] == it.code);
        CHECK(answer->json()["detail"].get<std::string>().starts_with(it.detail));
        CHECK(answer->json()["status"] == 400);
        CHECK(rig.stats.value(stats::Counter::messages_refused_input) == 1);
    }
}

TEST_CASE(
    "POST /v1/messages: refusals of the store have their status, and say when to come again") {
    struct Case {
        Errc code;
        int status;
        std::string word;
        stats::Counter counted;
    };
    for (const Case& it : {
             Case{Errc::ref_conflict, 409, "ref_conflict",
                  stats::Counter::messages_refused_conflict},
             Case{Errc::duplicate, 409, "duplicate", stats::Counter::messages_refused_conflict},
             Case{Errc::queue_full, 503, "queue_full", stats::Counter::messages_refused_full},
             Case{Errc::overloaded, 503, "overloaded", stats::Counter::messages_refused_overload},
             Case{Errc::storage, 507, "storage", stats::Counter::messages_refused_storage},
         }) {
        CAPTURE(it.word);
        test::ApiRig rig;
        const auto answer = rig.call("POST", "/v1/messages", R"({"to":"+33612345678","text":"a"})");
        rig.store.commit_one(
            std::unexpected(Error{.code = it.code, .context = "x", .retry_after = 1500ms}));
        rig.loop.run_all();
        CHECK(answer->answer.status == it.status);
        CHECK(answer->json()["code"] == it.word);
        CHECK(rig.stats.value(it.counted) == 1);
        const bool retry = it.status == 503;
        REQUIRE(answer->answer.headers.size() == (retry ? 1 : 0));
        if (retry) {
            CHECK(answer->answer.headers[0].name == "Retry-After");
            CHECK(answer->answer.headers[0].value == "2");
        }
    }
}

TEST_CASE(
    "refusals are counted by the rule that refused, wherever it was judged; what is simply wrong "
    "is none") {
    using stats::Counter;
    struct Case {
        Errc code;
        std::string context;
        std::optional<Counter> counted;
    };
    for (const Case& it : {
             Case{Errc::forbidden, "rule deny: x", Counter::refused_by_destination},
             Case{Errc::forbidden, "rule allow: x", Counter::refused_by_destination},
             Case{Errc::forbidden, "rule premium: x", Counter::refused_by_premium},
             Case{Errc::forbidden, "rule opt_out: x", Counter::refused_by_opt_out},
             Case{Errc::forbidden, "rule recipient_limit: x", Counter::refused_by_limit},
             Case{Errc::forbidden, "rule quiet_hours: x", Counter::refused_by_quiet_hours},
             Case{Errc::forbidden, "rule known_clients: x", Counter::refused_by_client},
             Case{Errc::forbidden, "for administrators", Counter::refused_by_other},
             Case{Errc::overloaded, "x", Counter::refused_by_overload},
             Case{Errc::queue_full, "x", Counter::refused_by_capacity},
             Case{Errc::duplicate, "x", Counter::refused_by_duplicate},
             Case{Errc::conflict, "batch spring was cancelled", Counter::refused_by_batch},
             Case{Errc::bad_number, "to", std::nullopt},
             Case{Errc::storage, "disk", std::nullopt},
         }) {
        CAPTURE(it.context);
        test::ApiRig rig;
        api::count_submit(rig.parts(), {},
                          std::unexpected(Error{.code = it.code, .context = it.context}));
        std::uint64_t all = 0;
        for (auto at = std::to_underlying(Counter::refused_by_destination);
             at <= std::to_underlying(Counter::refused_by_batch); ++at) {
            all += rig.stats.value(static_cast<Counter>(at));
        }
        CHECK(all == (it.counted ? 1 : 0));
        if (it.counted) {
            CHECK(rig.stats.value(*it.counted) == 1);
        }
    }
}

TEST_CASE("POST /v1/messages: Idempotency-Key is the ref") {
    test::ApiRig rig;
    const std::string body = R"({"to":"+33612345678","text":"a"})";
    rig.call("POST", "/v1/messages", body, {{"idempotency-key", "k1"}});
    REQUIRE(rig.store.accepting.size() == 1);
    CHECK(rig.store.accepting[0].command.message.ref == "k1");
    const auto both =
        rig.call("POST", "/v1/messages", R"({"to":"+33612345678","text":"a","ref":"k2"})",
                 {{"idempotency-key", "k1"}});
    CHECK(both->answer.status == 400);
    CHECK(both->json()["detail"].get<std::string>().starts_with("ref: "));
}

TEST_CASE("POST /v1/preview: tells what would be sent, and why not now; sends nothing") {
    test::ApiRig rig;
    const std::string body = R"({"to":"0612345678","text":"h\u00e9\u4f60"})";
    auto preview = rig.done("POST", "/v1/preview", body)->json();
    CHECK(preview["to"] == "+33612345678");
    CHECK(preview["encoding"] == "ucs2");
    CHECK(preview["segments"] == 1);
    CHECK(preview["group"] == "default");
    CHECK(preview["priority"] == 3);
    CHECK(preview["why_not_now"] == "no modem of the group is ready");
    CHECK(rig.store.last_id == 0);

    rig.rack.line_views = {{.name = "m0", .group = "default", .link = ports::LinkState::active}};
    CHECK(rig.done("POST", "/v1/preview", body)->json()["why_not_now"].is_null());
    const std::string later =
        R"({"to":"0612345678","text":"a","not_before":"2026-01-01T00:00:01Z"})";
    CHECK(rig.done("POST", "/v1/preview", later)->json()["why_not_now"] ==
          "not before 2026-01-01T00:00:01.000Z");
    rig.rack.line_views[0].pause = {.reason = "quota", .until = WallTime(std::chrono::hours(1))};
    preview = rig.done("POST", "/v1/preview", body)->json();
    CHECK(preview["why"] == "quota");
    CHECK(preview["wait_until"] == "1970-01-01T01:00:00.000Z");
    CHECK(preview["why_not_now"] ==
          "the quotas of the group's SIMs are spent until 1970-01-01T01:00:00.000Z");
    CHECK(rig.done("POST", "/v1/preview", "{}")->answer.status == 400);
}
