#include "db/upkeep/anonymise.hpp"

#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::size_t anonymise(test::StoreFixture& f, std::chrono::hours age, std::size_t limit = 100) {
    const WallTime before = f.clock.wall() - age;
    const auto looked_at = f.ask(ports::Anonymise{before, before, limit});
    REQUIRE(looked_at);
    return *looked_at;
}

}  // namespace

TEST_CASE("anonymise: a number keeps what tells its country") {
    CHECK(db::anonymous_number("+33612345678") == "+33*");
    CHECK(db::anonymous_number("36180") == "*");
    CHECK(db::anonymous_number("BANK") == "*");
}

TEST_CASE("anonymise: old messages at their end lose number and text; others keep them") {
    test::StoreFixture f;
    auto with_ref = f.message("+33612345678", "a secret");
    with_ref.ref = "order 7";
    with_ref.note = "of +33612345678";
    const MessageId ended = f.sent(1, with_ref);
    const MessageId waiting = f.accepted();
    f.clock.advance(48h);
    const MessageId young = f.sent(2);
    CHECK(anonymise(f, 24h) == 2);
    CHECK(f.detail(ended).message.to == "+33*");
    CHECK(f.detail(ended).message.body.text.empty());
    CHECK(f.detail(ended).message.ref.empty());
    CHECK(f.detail(ended).message.note.empty());
    CHECK(f.look([](ports::StoreReader& r) { return r.events({}, 1); })->at(0).note.empty());
    CHECK(f.state(ended) == MessageState::sent);
    for (const MessageId kept : {waiting, young}) {
        CHECK(f.detail(kept).message.to == "+33612345678");
        CHECK(f.detail(kept).message.body.text == "hello");
    }
}

TEST_CASE("anonymise: a note that an earlier program left goes too") {
    test::StoreFixture f;
    auto message = f.message();
    message.note = "of +33612345678";
    const MessageId id = f.sent(1, message);
    f.store.reset();
    db::Connection::open(f.folder.file("smsrack.db"), {})
        .value()
        ->script("UPDATE messages SET to_addr = '+33*', body = ''");
    f.open();
    CHECK(f.detail(id).message.note == message.note);
    f.clock.advance(48h);
    CHECK(anonymise(f, 24h) == 1);
    CHECK(f.detail(id).message.note.empty());
    CHECK(f.detail(id).message.to == "+33*");
}

TEST_CASE("anonymise: elements of a header that an earlier program left go too") {
    test::StoreFixture f;
    auto message = f.message();
    message.body.elements = std::string("\x05\x04\x0b\x84\x23\xf0", 6);
    const MessageId id = f.sent(1, message);
    f.store.reset();
    db::Connection::open(f.folder.file("smsrack.db"), {})
        .value()
        ->script("UPDATE messages SET to_addr = '+33*', body = ''");
    f.open();
    CHECK(f.detail(id).message.body.elements == message.body.elements);
    f.clock.advance(48h);
    CHECK(anonymise(f, 24h) == 1);
    CHECK(f.detail(id).message.body.elements.empty());
    CHECK(f.detail(id).message.to == "+33*");
}

TEST_CASE("anonymise: in small steps, and a message that ends later is not forgotten") {
    test::StoreFixture f;
    const MessageId slow = f.accepted();
    std::vector<MessageId> ids;
    for (int i = 0; i < 5; ++i) {
        ids.push_back(f.sent(static_cast<std::uint8_t>(i + 1)));
    }
    f.clock.advance(48h);
    CHECK(anonymise(f, 24h, 3) == 3);
    CHECK(f.detail(ids[4]).message.to == "+33612345678");
    CHECK(anonymise(f, 24h, 3) == 3);
    CHECK(f.detail(ids[4]).message.to == "+33*");
    CHECK(anonymise(f, 24h, 3) == 0);
    REQUIRE(f.finish(slow, MessageEvent::cancel));
    f.clock.advance(72h);
    for (int i = 0; i < 5; ++i) {
        (void)anonymise(f, 24h, 3);
    }
    CHECK(f.detail(slow).message.to == "+33*");
}

TEST_CASE("anonymise: the inbox likewise, and its segments") {
    test::StoreFixture f;
    const auto kept = f.keep(f.inbound("a secret"));
    REQUIRE(kept);
    f.clock.advance(48h);
    CHECK(anonymise(f, 24h) == 1);
    const auto rows = f.look([](ports::StoreReader& r) { return r.inbox({}); });
    REQUIRE(rows);
    REQUIRE(rows->size() == 1);
    CHECK(rows->front().from == "+33*");
    CHECK(rows->front().content.text.empty());
}

TEST_CASE("anonymise: the dialogues kept with the attempts go too, of all of them") {
    test::StoreFixture f;
    const MessageId id = f.accepted();
    for (int i = 0; i < 2; ++i) {
        const auto attempt = f.begin(id);
        REQUIRE(attempt);
        f.store->post(
            ports::NoteAttempt{*attempt, {.kind = ports::NoteKind::dialogue, .text = "a secret"}});
        REQUIRE(f.end(i == 0 ? f.refused(id, *attempt) : f.taken(id, *attempt, 0, 7)));
    }
    REQUIRE(f.detail(id).attempts.at(0).notes.size() == 1);
    f.clock.advance(48h);
    CHECK(anonymise(f, 24h) == 1);
    for (const ports::AttemptRow& attempt : f.detail(id).attempts) {
        CHECK(attempt.notes.empty());
    }
}

TEST_CASE("anonymise: silent messages lose their sender and PDU, and are still known") {
    test::StoreFixture f;
    auto segment = f.inbound("a secret");
    segment.pid = pid_silent;
    segment.scts = f.clock.wall();
    segment.held_at = HeldPlace{.memory = HeldIn::sim, .index = 1};
    const auto young_after = 48h;
    REQUIRE(f.keep(segment)->discarded);
    f.clock.advance(young_after);
    auto young = f.inbound("another");
    young.pid = pid_silent;
    REQUIRE(f.keep(young)->discarded);
    CHECK(anonymise(f, 24h) == 1);
    CHECK(anonymise(f, 24h) == 0);
    CHECK(f.keep(segment)->duplicate);
    f.store.reset();
    auto database = db::Connection::open(f.folder.file("smsrack.db"), {});
    REQUIRE(database);
    const auto count = [&](db::Sql sql) { return (*database)->scalar<int>(sql, -1); };
    CHECK(count("SELECT count(*) FROM inbound_segments WHERE from_addr = '+33*' AND payload = x'' "
                "AND raw = x''") == 1);
    CHECK(count("SELECT count(*) FROM inbound_segments WHERE from_addr = '+33612345678' AND raw = "
                "CAST('raw' AS BLOB)") == 1);
}
