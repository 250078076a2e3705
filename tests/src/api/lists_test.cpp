// One received message; the messages of a level or a group; the states of a modem.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("GET /v1/inbox/{id}: the row that the list has") {
    test::ApiRig rig;
    rig.store.reader.inbox_rows = {{.id = InboxId{7}, .from = "+33612345678", .modem = "m1"}};
    rig.store.reader.inbox_rows[0].content.text = "hello";
    const auto one = rig.done("GET", "/v1/inbox/7")->json();
    CHECK(one == rig.done("GET", "/v1/inbox")->json()["messages"][0]);
    CHECK(one["from"] == "+33612345678");
    CHECK(one["text"] == "hello");
    CHECK(rig.done("GET", "/v1/inbox/8")->answer.status == 404);
    CHECK(rig.done("GET", "/v1/inbox/x")->answer.status == 404);
    CHECK(rig.done_by(rig.sender, "GET", "/v1/inbox/7")->answer.status == 403);
}

TEST_CASE("GET /v1/messages: of a level or a group, a bounded step at a time, without texts") {
    test::ApiRig rig;
    for (int i = 5; i > 0; --i) {
        ports::MessageRow row{.id = MessageId{i}, .to = "+33612345678"};
        row.body.text = "hello";
        rig.store.reader.message_rows.push_back(row);
    }
    rig.store.reader.looked_at_max = 2;
    const auto first = rig.done("GET", "/v1/messages?priority=6&group=orange")->json();
    CHECK(rig.store.reader.last_filter.level == Level{6});
    CHECK(rig.store.reader.last_filter.group == "orange");
    REQUIRE(first["messages"].size() == 2);
    CHECK(first["next"] == "4");
    CHECK_FALSE(first["messages"][0].contains("text"));
    const auto text = rig.done("GET", "/v1/messages?priority=0&text=true")->json();
    CHECK(text["messages"][0]["text"] == "hello");
    CHECK(rig.done("GET", "/v1/messages?priority=0&q=0612")->json()["messages"][0]["text"] ==
          "hello");
    CHECK(rig.done("GET", "/v1/messages?priority=0&details=true")->answer.status == 200);
    for (const char* const wrong : {"7", "-1", "high", ""}) {
        CAPTURE(wrong);
        CHECK(rig.done("GET", std::string("/v1/messages?priority=") + wrong)->answer.status == 400);
    }
}

TEST_CASE(
    "GET /v1/messages: ids of 64 bits keep all digits, and another box's message has its own") {
    test::ApiRig rig;
    rig.store.reader.message_rows = {
        {.id = MessageId{9'223'372'036'854'775'807}, .to = "+33612345678"},
        {.id = MessageId{9'214'364'837'600'034'817},
         .origin = MessageId{9'007'199'254'740'993},
         .to = "+33612345678",
         .state = MessageState::elsewhere}};
    const auto page = rig.done("GET", "/v1/messages?limit=1")->json();
    CHECK(page["messages"][0]["id"] == "9223372036854775807");
    CHECK(page["next"] == "9223372036854775807");
    const auto rest = rig.done("GET", "/v1/messages?cursor=9223372036854775807")->json();
    REQUIRE(rest["messages"].size() == 1);
    CHECK(rest["messages"][0]["id"] == "9007199254740993");
    CHECK(rest["messages"][0]["state"] == "elsewhere");
    CHECK(rig.done("GET", "/v1/messages?state=elsewhere")->answer.status == 200);
    CHECK(rig.store.reader.last_filter.state == MessageState::elsewhere);
    rig.store.reader.detail.message = rig.store.reader.message_rows[0];
    CHECK(rig.done("GET", "/v1/messages/9223372036854775807")->json()["id"] ==
          "9223372036854775807");
    CHECK(rig.done("GET", "/v1/messages/9223372036854775808")->answer.status == 404);
}

TEST_CASE("GET /v1/modems/{name}/history: the states of one modem, newest first") {
    test::ApiRig rig;
    rig.rack.line_views = {{.name = "m1"}};
    rig.rack_store.states = {.rows = {{EventSeq{9}, WallTime{1'800'000'000'000ms}, "active"},
                                      {EventSeq{4}, WallTime{1'799'999'999'000ms}, "pending"}},
                             .next = EventSeq{4}};
    const auto page =
        rig.done("GET", "/v1/modems/m1/history?limit=2&cursor=12&since=2026-01-01T00:00:00Z")
            ->json();
    REQUIRE(page["states"].size() == 2);
    CHECK(page["states"][0]["id"] == "9");
    CHECK(page["states"][0]["at"] == "2027-01-15T08:00:00.000Z");
    CHECK(page["states"][0]["state"] == "active");
    CHECK(page["next"] == "4");
    CHECK(rig.rack_store.asked_states.line == "m1");
    CHECK(rig.rack_store.asked_states.limit == 2);
    CHECK(rig.rack_store.asked_states.before == EventSeq{12});
    CHECK(rig.rack_store.asked_states.since.has_value());
    rig.rack_store.states = {};
    CHECK(rig.done("GET", "/v1/modems/m1/history")->json()["next"].is_null());
    CHECK(rig.done("GET", "/v1/modems/m9/history")->answer.status == 404);
    CHECK(rig.done("GET", "/v1/modems/m1/history?limit=0")->answer.status == 400);
    CHECK(rig.done_by(rig.sender, "GET", "/v1/modems/m1/history")->answer.status == 403);
}
