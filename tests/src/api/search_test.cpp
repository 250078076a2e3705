// Lists searched for a part of the number or of the text.
#include "src/api/search.hpp"

#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view umlaut_text =
    "Der Aufzug \xC3\x9C"
    "ber dem Hof";

void put_messages(test::ApiRig& rig) {
    const auto row = [](std::int64_t id, const char* to, std::string_view text) {
        ports::MessageRow made{.id = MessageId{id}, .to = to};
        made.body.text = text;
        return made;
    };
    rig.store.reader.message_rows = {row(3, "+33612345678", "The lift is repaired."),
                                     row(2, "36180", umlaut_text), row(1, "+33699999999", "LIFT")};
}

std::string ids_of(const wire::Json& page) {
    std::string ids;
    for (const auto& message : page["messages"]) {
        ids += message["id"].get<std::string>();
    }
    return ids;
}

}  // namespace

TEST_CASE("search: messages by a part of the number or of the text, however they are written") {
    test::ApiRig rig;
    put_messages(rig);
    struct Case {
        const char* query;
        const char* ids;
    };
    for (const Case& it : {
             Case{"q=1234", "3"},
             Case{"q=06 12-34", "3"},
             Case{"q=+33", "31"},
             Case{"q=0699999999", "1"},
             Case{"q=618", "2"},
             Case{"q=777", ""},
             Case{"contains=lift", "31"},
             Case{"contains=LIFT IS", "3"},
             Case{"contains=aufzug  \xC3\xBC"
                  "ber",
                  "2"},
             Case{"contains=stairs", ""},
             Case{"q=+33&contains=repaired", "3"},
             Case{"q=618&contains=repaired", ""},
         }) {
        CAPTURE(it.query);
        const auto page = rig.done("GET", "/v1/messages?" + std::string(it.query))->json();
        CHECK(ids_of(page) == it.ids);
        CHECK(page["next"].is_null());
    }
    const auto found = rig.done("GET", "/v1/messages?contains=lift")->json();
    CHECK(found["messages"][1]["text"] == "LIFT");
    CHECK_FALSE(rig.done("GET", "/v1/messages")->json()["messages"][0].contains("text"));
}

TEST_CASE("lists: with their texts, and between two times") {
    test::ApiRig rig;
    put_messages(rig);
    const auto page = rig.done("GET", "/v1/messages?text=true&limit=1000")->json();
    CHECK(ids_of(page) == "321");
    CHECK(page["messages"][2]["text"] == "LIFT");
    CHECK(rig.store.reader.last_filter.limit == 201);  // a page of texts is short
    (void)rig.done("GET",
                   "/v1/messages?from=2026-11-01T00:00:00Z&until=2026-11-02T00:00:00Z&limit=5");
    const auto& filter = rig.store.reader.last_filter;
    REQUIRE(filter.since);
    REQUIRE(filter.until);
    CHECK(*filter.until - *filter.since == 24h);
    rig.done("GET", "/v1/messages?until=2026-11-02T00:00:00Z&contains=lift");
    CHECK(rig.store.reader.last_filter.until == filter.until);
    for (const char* const wrong : {"text=yes", "from=yesterday", "until=",
                                    "since=2026-11-01T00:00:00Z&from=2026-11-01T00:00:00Z"}) {
        CAPTURE(wrong);
        CHECK(rig.done("GET", "/v1/messages?" + std::string(wrong))->answer.status == 400);
        CHECK(rig.done("GET", "/v1/inbox?" + std::string(wrong))->answer.status == 400);
    }
}

TEST_CASE("search: a page that looked at enough rows ends, and its cursor continues") {
    test::ApiRig rig;
    put_messages(rig);
    rig.store.reader.looked_at_max = 2;
    const auto first = rig.done("GET", "/v1/messages?q=9999")->json();
    CHECK(first["messages"].empty());
    CHECK(first["next"] == "2");
    const auto second = rig.done("GET", "/v1/messages?q=9999&cursor=2")->json();
    CHECK(ids_of(second) == "1");
    CHECK(second["next"].is_null());
    rig.store.reader.looked_at_max = 100;
    const auto full = rig.done("GET", "/v1/messages?contains=lift&limit=1")->json();
    CHECK(ids_of(full) == "3");
    CHECK(full["next"] == "3");
}

TEST_CASE("search: with details, each row found is whole, and the cursor continues too") {
    test::ApiRig rig;
    put_messages(rig);
    rig.store.reader.detail.message = rig.store.reader.message_rows[0];
    rig.store.reader.detail.segments = {{.index = 0, .tp_mr = 7}};
    const auto page = rig.done("GET", "/v1/messages?contains=lift&details=true&limit=1")->json();
    REQUIRE(page["messages"].size() == 1);
    CHECK(page["messages"][0]["text"] == "The lift is repaired.");
    CHECK(page["messages"][0]["segment_states"][0]["tp_mr"] == 7);
    CHECK(page["next"] == "3");
}

TEST_CASE("search: a sender finds its own messages alone") {
    test::ApiRig rig;
    put_messages(rig);
    rig.store.reader.message_rows[2].owner = OwnerId{test::ApiRig::sender_uid};
    CHECK(ids_of(rig.done_by(rig.sender, "GET", "/v1/messages?contains=lift")->json()) == "1");
    CHECK(rig.done_by(rig.sender, "GET", "/v1/inbox?contains=lift")->answer.status == 403);
}

TEST_CASE("search: the inbox by sender and text") {
    test::ApiRig rig;
    rig.store.reader.inbox_rows = {
        {.id = InboxId{7}, .from = "+33611111111", .content = {.text = "Yes please"}},
        {.id = InboxId{8}, .from = "My-Bank", .content = {.text = "no"}}};
    CHECK(ids_of(rig.done("GET", "/v1/inbox?q=0611")->json()) == "7");
    CHECK(ids_of(rig.done("GET", "/v1/inbox?q=my-bank")->json()) == "8");
    CHECK(ids_of(rig.done("GET", "/v1/inbox?contains=YES")->json()) == "7");
    CHECK(ids_of(rig.done("GET", "/v1/inbox?q=bank&contains=yes")->json()).empty());
}

TEST_CASE("search: what says nothing, or too much, is refused by name") {
    test::ApiRig rig;
    const std::string longest(161, 'a');
    for (const std::string& query : std::vector<std::string>{
             "contains=", "contains= ", "q=", "q=(-)", "contains=" + longest}) {
        CAPTURE(query);
        const auto answer = rig.done("GET", "/v1/messages?" + query);
        CHECK(answer->answer.status == 400);
        CHECK(answer->json()["detail"].get<std::string>().starts_with(
            query.substr(0, query.find('=')) + ": "));
    }
    CHECK(rig.done("GET", "/v1/inbox?q=")->answer.status == 400);
    CHECK(rig.done("GET", "/v1/inbox?number=1")->answer.status == 400);
}
