// What another box reports of a message that this one accepted.
#include "db/upkeep/check.hpp"
#include "tests/db/fleet_fixture.hpp"

using namespace smsrack;
using namespace std::chrono_literals;
using test::FleetFixture;
using enum MessageState;

TEST_CASE("fleet ends: each state that another box reports is one event of the client's stream") {
    struct Row {
        const char* what;
        std::vector<MessageState> reported;
        bool is_settled;
    };
    for (const Row& row : {
             Row{"sent, then delivered", {sent, delivered}, true},
             Row{"sent, and the report says no", {sent, undelivered}, true},
             Row{"the report came with the end", {delivered}, true},
             Row{"failed", {failed}, true},
             Row{"its time was over there", {expired}, true},
             Row{"cancelled before it began", {cancelled}, true},
             Row{"the box does not answer", {uncertain}, false},
             Row{"a doubt that was resolved", {uncertain, sent}, true},
             Row{"a doubt, and nothing was sent", {uncertain, elsewhere}, false},
             Row{"and then another box sent it", {uncertain, elsewhere, sent}, true},
         }) {
        CAPTURE(row.what);
        FleetFixture f;
        NewMessage message = f.shared_message();
        message.client = "billing";
        const MessageId id = f.accepted(message);
        REQUIRE(f.note(id, FleetStage::away));
        std::vector<MessageState> expected{elsewhere};
        for (const MessageState state : row.reported) {
            f.clock.advance(1s);
            REQUIRE(f.told(id, state, "word") == state);
            expected.push_back(state);
            const Event& event = f.heard.events.back();
            CHECK(event.state == state);
            CHECK(event.client != ClientId{});
            CHECK(event.message == id);
            CHECK(event.detail == "word");
            CHECK(f.count(state) == 1);
        }
        const std::size_t told = f.heard.events.size();
        CHECK(f.told(id, row.reported.back()) == row.reported.back());  // again
        CHECK(f.heard.events.size() == told);
        f.reopen();
        CHECK(f.history(id) == expected);
        CHECK((f.stage(id) == FleetStage::settled) == row.is_settled);
        CHECK(f.place(id).box == BoxNumber{2});
        CHECK(f.begin(id).error().code == Errc::conflict);
        CHECK(db::check(f.folder.file("smsrack.db"))->problems.empty());
    }
}

TEST_CASE("fleet ends: every pair of states is as the table says, and no report queues a message") {
    for (std::size_t from = 0; from < message_state_count; ++from) {
        for (std::size_t to = 0; to < message_state_count; ++to) {
            const auto first = static_cast<MessageState>(from);
            const auto second = static_cast<MessageState>(to);
            if (first == scheduled || first == queued || first == sending) {
                continue;  // of this box
            }
            CAPTURE(message_state_name(first));
            CAPTURE(message_state_name(second));
            FleetFixture f;
            const MessageId id = f.shared();
            REQUIRE(f.note(id, FleetStage::away));
            if (first == undelivered || first == delivered) {
                REQUIRE(f.told(id, sent));
            }
            REQUIRE(f.told(id, first) == first);
            const auto answer = f.told(id, second);
            const bool allowed =
                second != scheduled && second != queued && second != sending &&
                (first == second || std::ranges::any_of(message_rules, [&](const MessageRule& r) {
                     return r.from == first && r.to == second;
                 }));
            CHECK(answer.has_value() == allowed);
            CHECK(f.state(id) == (allowed ? second : first));
        }
    }
}

TEST_CASE("fleet ends: no other box has a say in a message that this one may begin or has begun") {
    FleetFixture f;
    const MessageId firm = f.firm();
    CHECK(f.told(firm, sent).error().code == Errc::conflict);
    const auto attempt = f.begin(firm);
    CHECK(f.told(firm, failed).error().code == Errc::conflict);
    REQUIRE(f.end(f.taken(firm, *attempt, 0, 1)));
    CHECK(f.told(firm, delivered).error().code == Errc::conflict);
    REQUIRE(f.ask(ports::NoteSettled{{firm}}));
    CHECK(f.told(firm, expired).error().code == Errc::conflict);
    CHECK(f.state(firm) == sent);
    const MessageId plain = f.accepted();
    CHECK(f.told(plain, sent).error().code == Errc::not_found);
    CHECK(f.told(MessageId{4711}, sent).error().code == Errc::not_found);
}

TEST_CASE("fleet ends: a message that another box sent waits for no evidence here") {
    FleetFixture f;
    const MessageId id = f.shared();
    REQUIRE(f.note(id, FleetStage::away));
    REQUIRE(f.told(id, uncertain));
    CHECK(f.uncertain_attempts().empty());
    CHECK(f.take_due().empty());
    CHECK(f.finish(id, MessageEvent::give_up).error().code == Errc::conflict);
    REQUIRE(f.told(id, sent));
    CHECK_FALSE(f.look([&](ports::StoreReader& r) {
                     return r.expects(f.sim, f.clock.wall(), {});
                 })->anything);
}

TEST_CASE("fleet ends: what another box sent is not counted as sent by this rack") {
    FleetFixture f;
    const MessageId id = f.shared();
    REQUIRE(f.note(id, FleetStage::away));
    REQUIRE(f.told(id, sent));
    const MessageId own = f.firm();
    const auto attempt = f.begin(own);
    REQUIRE(f.end(f.taken(own, *attempt, 0, 1)));
    f.clock.advance(2min);
    (void)f.accepted();
    CHECK(db::Connection::open(f.folder.file("smsrack.db"), {.read_only = true})
              .value()
              ->scalar<std::int64_t>("SELECT sum(sent) FROM history WHERE line = ''", 0) == 1);
}
