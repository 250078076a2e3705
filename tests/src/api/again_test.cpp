// POST /v1/messages/{id}/again: an ended message is sent again as a new one.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

const wire::Peer anna{.uid = 1001, .gid = 1001, .known = true};
const wire::Peer bert{.uid = 1002, .gid = 1002, .known = true};

/// A message of anna that waited an hour for its time and failed two hours later.
ports::MessageDetail failed_message(const test::ApiRig& rig) {
    const WallTime created = rig.clock.wall() - 24h;
    ports::MessageDetail detail;
    detail.message = {.id = MessageId{42},
                      .to = "+33612345678",
                      .state = MessageState::failed,
                      .level = 5,
                      .group = "default",
                      .ref = "order 7",
                      .batch = "B-1",
                      .client = "billing",
                      .owner = OwnerId{1001},
                      .created_at = created,
                      .expires_at = created + 3h};
    detail.message.note = "of billing";
    detail.message.body = {.to = "+33612345678",
                           .text = "hello",
                           .report = false,
                           .message_class = 1,
                           .ports = PortAddress{.dst = 5, .src = 6}};
    detail.history = {{.at = created, .state = MessageState::scheduled},
                      {.at = created + 1h, .state = MessageState::queued},
                      {.at = created + 2h, .state = MessageState::failed}};
    return detail;
}

constexpr const char* path = "/v1/messages/42/again";

struct AgainRig : test::ApiRig {
    AgainRig() { store.reader.detail = failed_message(*this); }

    int status(const std::string& body = {}) { return done("POST", path, body)->answer.status; }

    /// The message that a call of this account hands in, before the store has it.
    NewMessage handed_in(const wire::Peer& peer) {
        auto responder = std::make_shared<test::FakeResponder>();
        responders.push_back(responder);
        wire::HttpRequest request = request_of("POST", path);
        request.peer = &peer;
        api.handle(std::move(request), responder);
        store.read_all();
        loop.run_all();
        REQUIRE(store.accepting.size() == 1);
        CHECK_FALSE(responder->answered);
        NewMessage message = store.accepting.front().command.message;
        settle();
        CHECK(responder->answer.status == 202);
        CHECK(responder->json().at("id") == std::to_string(store.last_id));
        return message;
    }
};

}  // namespace

TEST_CASE("again: the new message says the same, for as long, and is answered when it is durable") {
    AgainRig rig;
    const NewMessage message = rig.handed_in(anna);
    CHECK(message.body.to == "+33612345678");
    CHECK(message.body.text == "hello");
    CHECK_FALSE(message.body.report);
    CHECK(message.body.message_class == 1);
    CHECK(message.body.ports->dst == 5);
    CHECK(message.level == 5);
    CHECK(message.ref == "again-42-1");
    CHECK(message.batch.empty());
    CHECK_FALSE(message.not_before);
    CHECK_FALSE(message.check_duplicate);
    CHECK(message.created_at == rig.clock.wall());
    CHECK(message.expires_at - message.created_at == 2h);
}

TEST_CASE("again: octets stay octets") {
    AgainRig rig;
    rig.store.reader.detail.message.body = {
        .to = "+33612345678", .data = std::string("\0\x7f", 2), .is_data = true};
    const NewMessage message = rig.handed_in(anna);
    CHECK(message.body.is_data);
    CHECK(message.body.data == std::string("\0\x7f", 2));
}

TEST_CASE("again: it is the caller's, under the client name only where that is the caller's own") {
    AgainRig rig;
    const NewMessage own = rig.handed_in(anna);
    CHECK(own.owner == OwnerId{1001});
    CHECK(own.client == "billing");
    CHECK(own.note == "of billing");
    const NewMessage of_root = rig.handed_in({.uid = 0, .known = true});
    CHECK(of_root.owner == OwnerId{});
    CHECK(of_root.client.empty());
    CHECK(of_root.note.empty());
    CHECK(rig.done_by(bert, "POST", path)->answer.status == 404);
}

TEST_CASE("again: the SIM that the client named sends it, while its group has a modem") {
    const SimCard card{.iccid = "8933", .imsi = "20801"};
    AgainRig rig;
    rig.store.reader.detail.by = card;
    const NewMessage message = rig.handed_in(anna);
    CHECK(message.by == card);
    CHECK(message.group == "default");
    CHECK_FALSE(message.refused);
    rig.store.reader.detail.message.group = "gone";
    CHECK_FALSE(rig.handed_in(anna).by);
    rig.store.reader.detail.by.reset();
    CHECK_FALSE(rig.handed_in(anna).by);
}

TEST_CASE("again: N counts on from the copies that there are, up to 20") {
    AgainRig rig;
    const auto copies = [&](int number) {
        rig.store.reader.message_rows.clear();
        for (int i = 1; i <= number; ++i) {
            rig.store.reader.message_rows.push_back({.ref = "again-42-" + std::to_string(i)});
        }
    };
    copies(2);
    CHECK(rig.handed_in(anna).ref == "again-42-3");
    copies(20);
    CHECK(rig.status() == 409);
}

TEST_CASE("again: what the recipient has, or may have, takes consent; what is on its way waits") {
    struct Case {
        const char* what;
        MessageState state;
        OutcomeKind outcome;
        int without;
        int with;
    };
    for (const Case& it : {
             Case{"failed", MessageState::failed, OutcomeKind::refused, 202, 202},
             Case{"expired", MessageState::expired, OutcomeKind::not_sent, 202, 202},
             Case{"cancelled", MessageState::cancelled, OutcomeKind::refused, 202, 202},
             Case{"not delivered", MessageState::undelivered, OutcomeKind::accepted, 202, 202},
             Case{"in doubt for too long", MessageState::failed, OutcomeKind::unknown, 409, 202},
             Case{"sent", MessageState::sent, OutcomeKind::accepted, 409, 202},
             Case{"delivered", MessageState::delivered, OutcomeKind::accepted, 409, 202},
             Case{"scheduled", MessageState::scheduled, OutcomeKind::refused, 409, 409},
             Case{"queued", MessageState::queued, OutcomeKind::refused, 409, 409},
             Case{"sending", MessageState::sending, OutcomeKind::open, 409, 409},
             Case{"uncertain", MessageState::uncertain, OutcomeKind::unknown, 409, 409},
         }) {
        CAPTURE(it.what);
        AgainRig rig;
        rig.store.reader.detail.message.state = it.state;
        rig.store.reader.detail.attempts = {{.outcome = {.kind = it.outcome}}};
        CHECK(rig.status() == it.without);
        CHECK(rig.status("{}") == it.without);
        CHECK(rig.status(R"({"allow_duplicate":true})") == it.with);
    }
}

TEST_CASE("again: a message whose text is removed can't be sent; another body is refused") {
    AgainRig rig;
    for (const char* body : {R"({"allow_duplicate":1})", R"({"text":"x"})", "x"}) {
        CAPTURE(body);
        CHECK(rig.status(body) == 400);
    }
    rig.store.reader.detail.message.body.text.clear();
    const auto removed = rig.done("POST", path);
    CHECK(removed->answer.status == 409);
    CHECK(removed->json().at("detail").get<std::string>().contains("anonymise_days"));
    CHECK(rig.done("POST", "/v1/messages/x/again")->answer.status == 404);
    CHECK(rig.done("POST", "/v1/messages/43/again")->answer.status == 404);
}
