// What rules refused is kept for each client and rule, for every way in.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using test::ApiRig;

namespace {

const wire::Peer gate{.uid = ApiRig::gate_uid, .gid = 985, .known = true};
const wire::Peer anna{.uid = 1001, .gid = 1001, .known = true};
const wire::Peer bert{.uid = 1002, .gid = 1002, .known = true};
const std::string message = R"({"to":"+33612345678","text":"a"})";

Error refused(const char* rule) {
    return {.code = Errc::forbidden, .context = std::string("rule ") + rule + ": no"};
}

/// Hands in a message, which the store refuses.
void submit(ApiRig& rig, const wire::Peer& peer, const std::string& body, const char* rule,
            std::vector<wire::HeaderField> headers = {}) {
    wire::HttpRequest request = ApiRig::request_of("POST", "/v1/messages", std::move(headers));
    request.body = body;
    request.peer = &peer;
    const auto responder = std::make_shared<test::FakeResponder>();
    rig.api.handle(std::move(request), responder);
    rig.store.commit_one(std::unexpected(refused(rule)));
    rig.loop.run_all();
    CHECK(responder->answer.status == 403);
}

std::vector<ports::RefusalCount> noted(const ApiRig& rig) {
    std::vector<ports::RefusalCount> all;
    for (const ports::NoteRefusals& note : rig.clients.noted) {
        all.insert(all.end(), note.refusals.begin(), note.refusals.end());
    }
    return all;
}

}  // namespace

TEST_CASE("refusals: a flood is one row, which the store gets ten seconds after its first") {
    ApiRig rig;
    SteadyTime asked = never;
    rig.refusals.on_deadline([&](SteadyTime at) { asked = at; });
    const SteadyTime begin = rig.clock.steady();
    const WallTime first = rig.clock.wall();
    for (int i = 0; i < 1'000; ++i) {
        submit(rig, gate, message, i % 4 == 0 ? "premium" : "opt_out",
               {{"smsrack-token", "smpp:shop"}});
        rig.clock.advance(9ms);
    }
    CHECK(asked == begin + api::RefusalNotes::write_within);
    CHECK(rig.refusals.step(rig.clock.steady()) == asked);
    CHECK(rig.clients.noted.empty());
    CHECK(rig.refusals.step(asked) == never);
    REQUIRE(rig.clients.noted.size() == 1);
    const auto rows = noted(rig);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].client == "shop");
    CHECK(rows[0].rule == "opt_out");
    CHECK(rows[0].count == 750);
    CHECK(rows[1].rule == "premium");
    CHECK(rows[1].count == 250);
    CHECK(rows[1].first_at == first);
    CHECK(rows[1].last_at > first + 8s);
    CHECK(rig.refusals.step(asked + 1h) == never);
    CHECK(rig.clients.noted.size() == 1);
}

TEST_CASE("refusals: whatever the way in, by the client, or by the account where none is named") {
    ApiRig rig;
    submit(rig, bert, message, "deny");
    submit(rig, anna, R"({"to":"+33612345678","text":"a","client":"billing"})", "deny");
    submit(rig, gate, message, "deny", {{"smsrack-token", "smpp:shop"}});
    rig.refusals.write();
    const auto rows = noted(rig);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].client.empty());
    CHECK(rows[0].owner == OwnerId{1002});
    CHECK(rows[1].client == "billing");
    CHECK(rows[1].owner == OwnerId{});
    CHECK(rows[2].client == "shop");
}

TEST_CASE("refusals: each line of an upload is its client's") {
    ApiRig rig;
    auto head = ApiRig::request_of(
        "POST", "/v1/messages",
        {{"content-type", "application/x-ndjson"}, {"smsrack-token", "smpp:shop"}});
    head.peer = &gate;
    const auto responder = std::make_shared<test::FakeResponder>();
    const auto reader = rig.api.stream(std::move(head), responder);
    REQUIRE(reader);
    reader->data(message + "\n" + message + "\n{}\n");
    while (!rig.store.accepting.empty()) {
        rig.store.commit_one(std::unexpected(refused("premium")));
    }
    rig.loop.run_all();
    CHECK(responder->written.contains("forbidden"));
    rig.refusals.write();
    const auto rows = noted(rig);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].client == "shop");
    CHECK(rows[0].count == 2);
}

TEST_CASE("refusals: a new content that a rule refuses is its message's client's") {
    ApiRig rig;
    ports::MessageRow& row = rig.store.reader.detail.message;
    row = {.id = MessageId{42}, .to = "+33612345678"};
    row.client = "shop";
    row.owner = OwnerId{1001};
    for (const Result<ports::Accepted>& result :
         {Result<ports::Accepted>(std::unexpected(refused("opt_out"))),
          Result<ports::Accepted>(fail(Errc::conflict, "the message is sent")),
          Result<ports::Accepted>(ports::Accepted{.id = MessageId{42}})}) {
        rig.store.replace_result = result;
        (void)rig.done("PUT", "/v1/messages/42", R"({"text":"after"})");
    }
    rig.refusals.write();
    const auto rows = noted(rig);
    REQUIRE(rows.size() == 1);  // a message that was sent is refused by no rule
    CHECK(rows[0].client == "shop");
    CHECK(rows[0].rule == "opt_out");
    CHECK(rows[0].count == 1);
}

TEST_CASE("refusals: what no rule has refused has no row") {
    ApiRig rig;
    for (const Error& error : {Error{.code = Errc::queue_full, .context = "rule clients_max: full"},
                               Error{.code = Errc::overloaded},
                               Error{.code = Errc::bad_number, .context = "to: no number"},
                               Error{.code = Errc::forbidden, .context = "for administrators"}}) {
        CAPTURE(error.context);
        rig.refusals.note("shop", {}, error);
    }
    rig.refusals.write();
    CHECK(rig.clients.noted.empty());
}

TEST_CASE("refusals: clients beyond the bound are counted together") {
    ApiRig rig;
    for (std::size_t i = 0; i < api::RefusalNotes::entries_max + 30; ++i) {
        rig.refusals.note("c" + std::to_string(i), {}, refused("deny"));
    }
    rig.refusals.note("c0", {}, refused("deny"));
    rig.refusals.write();
    const auto rows = noted(rig);
    CHECK(rows.size() == api::RefusalNotes::entries_max + 1);
    CHECK(rows[0].client.empty());
    CHECK(rows[0].count == 30);
    CHECK(rows[1].client == "c0");
    CHECK(rows[1].count == 2);
}

TEST_CASE("refusals: those of midnight are of two days") {
    ApiRig rig;
    rig.clock.advance(std::chrono::ceil<std::chrono::days>(rig.clock.wall()) - rig.clock.wall() -
                      1ms);
    rig.refusals.note("shop", {}, refused("deny"));
    rig.clock.advance(2ms);
    rig.refusals.note("shop", {}, refused("deny"));
    rig.refusals.write();
    const auto rows = noted(rig);
    REQUIRE(rows.size() == 2);
    CHECK(ports::day_of(rows[0].first_at) + 1 == ports::day_of(rows[1].first_at));
}

TEST_CASE("refusals: the client's answer lists them, and the list of SMPP accounts has their sum") {
    ApiRig rig;
    const WallTime at = rig.clock.wall();
    rig.store.reader.client_rows = {{.id = ClientId{1}, .name = "shop"}};
    rig.store.reader.refusal_rows = {
        {.client = "shop", .rule = "deny", .count = 3, .first_at = at, .last_at = at + 1s},
        {.client = "shop", .rule = "premium", .count = 4, .first_at = at - 24h, .last_at = at},
        {.client = "bank", .rule = "deny", .count = 5, .first_at = at, .last_at = at}};
    const auto client = rig.done("GET", "/v1/clients/shop")->json();
    REQUIRE(client["refusals"].size() == 2);
    const auto& row = client["refusals"][0];
    CHECK(row["rule"] == "deny");
    CHECK(row["count"] == 3);
    CHECK(row["first_at"].get<std::string>().starts_with(row["day"].get<std::string>() + "T"));
    CHECK(row["last_at"] > row["first_at"]);
    CHECK(rig.done_by(gate, "POST", "/v1/smpp/report",
                      R"({"first":true,"last":true,"accounts":[{"name":"shop"},{"name":"bank"}]})")
              ->answer.status == 200);
    const auto accounts = rig.done("GET", "/v1/smpp")->json()["accounts"];
    CHECK(accounts[0]["refused_by_rules"] == 7);
    CHECK(accounts[1]["refused_by_rules"] == 5);  // no message of it was kept
}
