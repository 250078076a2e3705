// What was said with each number.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime noon = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 12h;

ports::MessageRow sent_row(std::int64_t id, const std::string& text) {
    ports::MessageRow row{.id = MessageId{id},
                          .to = "+33612345678",
                          .state = MessageState::delivered,
                          .created_at = noon};
    row.body.text = text;
    return row;
}

ports::InboxRow received_row(std::int64_t id, const std::string& text) {
    return {
        .id = InboxId{id}, .from = "+33612345678", .content = {.text = text}, .received_at = noon};
}

}  // namespace

TEST_CASE("GET /v1/conversations: each number with its last message and its counts") {
    test::ApiRig rig;
    rig.store.reader.conversation_rows = {.rows = {{.number = "+33612345678",
                                                    .last = sent_row(9, "come"),
                                                    .sent = 2,
                                                    .received = 3,
                                                    .cursor = 9},
                                                   {.number = "MyBank",
                                                    .last = received_row(7, "your code"),
                                                    .received = 1,
                                                    .cursor = 8}},
                                          .next = 8};
    const auto page = rig.done("GET", "/v1/conversations?limit=2&cursor=20")->json();
    CHECK(rig.store.reader.last_page.before == 20);
    CHECK(rig.store.reader.last_page.limit == 2);
    REQUIRE(page["conversations"].size() == 2);
    const auto& first = page["conversations"][0];
    CHECK(first["number"] == "+33612345678");
    CHECK(first["sent"] == 2);
    CHECK(first["received"] == 3);
    CHECK(first["last"] == wire::parse_json(R"({"direction":"sent","id":"9",)"
                                            R"("at":"2026-11-21T12:00:00.000Z",)"
                                            R"("state":"delivered","text":"come"})")
                               .value());
    CHECK(page["conversations"][1]["last"]["direction"] == "received");
    CHECK(page["conversations"][1]["last"]["text"] == "your code");
    CHECK(page["next"] == "8");
    CHECK(rig.done("GET", "/v1/conversations?since=2026-11-21T12:00:00Z")->answer.status == 400);
}

TEST_CASE("GET /v1/conversations/{number}: sent and received in one list, newest first, by pages") {
    test::ApiRig rig;
    rig.store.reader.message_rows = {sent_row(8, "and again"), sent_row(5, "hello")};
    rig.store.reader.inbox_rows = {received_row(6, "who is this?"), received_row(9, "stop")};
    const auto first = rig.done("GET", "/v1/conversations/06 12 34 56 78?limit=3")->json();
    REQUIRE(first["messages"].size() == 3);
    CHECK(first["messages"][0]["direction"] == "received");
    CHECK(first["messages"][0]["text"] == "stop");
    CHECK(first["messages"][0]["from"] == "+33612345678");
    CHECK(first["messages"][1]["direction"] == "sent");
    CHECK(first["messages"][1]["text"] == "and again");
    CHECK(first["messages"][1]["state"] == "delivered");
    CHECK(first["messages"][2]["id"] == "6");
    CHECK(first["next"] == "6");
    const auto rest = rig.done("GET", "/v1/conversations/+33612345678?limit=3&cursor=6")->json();
    REQUIRE(rest["messages"].size() == 1);
    CHECK(rest["messages"][0]["text"] == "hello");
    CHECK(rest["next"].is_null());
}

TEST_CASE("GET /v1/conversations/{number}: a name is a sender too; who never spoke is not found") {
    test::ApiRig rig;
    rig.store.reader.inbox_rows = {
        {.id = InboxId{7}, .from = "MyBank", .content = {.data = "\x01", .is_data = true}}};
    const auto page = rig.done("GET", "/v1/conversations/MyBank")->json();
    CHECK(page["messages"][0]["data"] == "01");
    CHECK(rig.done("GET", "/v1/conversations/+33699999999")->answer.status == 404);
    CHECK(rig.done_by(rig.sender, "GET", "/v1/conversations/MyBank")->answer.status == 403);
}
