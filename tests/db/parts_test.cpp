// Parts of a longer message that its client has cut itself: together, in order, by one SIM.
#include "db/engine/connection.hpp"
#include "tests/db/store_fixture.hpp"

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

struct Of {
    std::string client = "a";
    std::string key = "7";
    std::string to = "+33612345678";
};

MessageId accept_part(StoreFixture& f, std::uint8_t number, std::uint8_t total, const Of& of = {}) {
    NewMessage part = f.message(of.to, of.client + " part " + std::to_string(number));
    part.client = of.client;
    part.part_key = of.key;
    part.body.part = PartPlace{.total = total, .number = number};
    return f.accepted(part);
}

constexpr MessageState scheduled = MessageState::scheduled;
constexpr MessageState queued = MessageState::queued;

MessageId accept_part_at(StoreFixture& f, std::uint8_t number, std::uint8_t total,
                         std::chrono::seconds later) {
    NewMessage part = f.message();
    part.part_key = "7";
    part.body.part = PartPlace{.total = total, .number = number};
    part.not_before = f.clock.wall() + later;
    return f.accepted(part);
}

std::int64_t number_of(StoreFixture& f, db::Sql sql) {
    return db::Connection::open(f.folder.file("smsrack.db"), {.read_only = true})
        .value()
        ->scalar<std::int64_t>(sql, -1);
}

/// Between two processes.
void change(StoreFixture& f, const std::string& sql) {
    f.store.reset();
    db::Connection::open(f.folder.file("smsrack.db"), {}).value()->script(sql);
    f.open();
}

std::int64_t open_sets(StoreFixture& f) {
    return number_of(f, "SELECT count(*) FROM part_sets WHERE open = 1 OR to_addr <> ''");
}

std::vector<MessageState> states(StoreFixture& f, const std::vector<MessageId>& ids) {
    std::vector<MessageState> found;
    for (const MessageId id : ids) {
        found.push_back(f.state(id));
    }
    return found;
}

using States = std::vector<MessageState>;

OutMessage loaded(StoreFixture& f, MessageId id) {
    return f.look([&](ports::StoreReader& r) { return r.out_message(id); }).value();
}

/// By this SIM, with this reference of the codec; the network takes it.
void send(StoreFixture& f, MessageId id, std::uint16_t ref = 77) {
    const auto attempt = f.ask(ports::BeginAttempt{
        .message = id, .concat_ref = ref, .modem = "m0", .sim = f.sim, .at = f.clock.wall()});
    REQUIRE(attempt);
    REQUIRE(f.end(f.taken(id, *attempt, 0, 1)));
}

}  // namespace

TEST_CASE("parts: they wait for each other, and then go one after the other in their order") {
    StoreFixture f;
    const MessageId third = accept_part(f, 3, 3);
    const MessageId first = accept_part(f, 1, 3);
    CHECK(states(f, {first, third}) == States{scheduled, scheduled});
    SUBCASE("at once") {}
    SUBCASE("over a restart") {
        f.reopen();
    }
    const MessageId second = accept_part(f, 2, 3);
    CHECK(states(f, {first, second, third}) == States{queued, scheduled, scheduled});
    CHECK(f.take_due().empty());
    f.clock.advance(10min);
    CHECK(f.take_due().empty());
    CHECK(states(f, {first, second, third}) == States{queued, scheduled, scheduled});

    const OutMessage out = loaded(f, first);
    REQUIRE(out.body.part);
    CHECK(out.body.part->total == 3);
    CHECK(out.body.part->number == 1);
    CHECK_FALSE(out.concat_ref);
    CHECK_FALSE(out.sticky);
    send(f, first, 4711);
    CHECK(states(f, {first, second, third}) == States{MessageState::sent, queued, scheduled});
    f.reopen();
    CHECK(loaded(f, second).concat_ref == 4711);
    CHECK(loaded(f, second).sticky);
    CHECK(loaded(f, second).known_sim == f.sim);
    send(f, second, 4711);
    CHECK(f.state(third) == queued);
    CHECK(loaded(f, third).concat_ref == 4711);
    CHECK(f.count(scheduled) == 0);
}

TEST_CASE("parts: those without their siblings go after 60 seconds, in their order") {
    StoreFixture f;
    const MessageId third = accept_part(f, 3, 3);
    f.clock.advance(30s);
    const MessageId first = accept_part(f, 1, 3);
    f.clock.advance(29s);
    (void)f.take_due();
    CHECK(states(f, {first, third}) == States{scheduled, scheduled});
    f.reopen();
    f.clock.advance(2s);
    (void)f.take_due();
    CHECK(states(f, {first, third}) == States{queued, scheduled});
    send(f, first);
    CHECK(f.state(third) == queued);
    CHECK(loaded(f, third).concat_ref == 77);
    // The one that comes too late begins another set, and is sent without the others.
    const MessageId second = accept_part(f, 2, 3);
    CHECK(f.state(second) == scheduled);
    f.clock.advance(61s);
    (void)f.take_due();
    CHECK(f.state(second) == queued);
    CHECK_FALSE(loaded(f, second).concat_ref);
}

TEST_CASE(
    "parts: one key of two clients, to two numbers or of another length is several messages") {
    StoreFixture f;
    Of other;
    std::uint8_t total = 2;
    SUBCASE("clients") {
        other.client = "b";
    }
    SUBCASE("numbers") {
        other.to = "+33700000000";
    }
    SUBCASE("keys") {
        other.key = "8";
    }
    SUBCASE("lengths") {
        total = 3;
    }
    const MessageId first = accept_part(f, 1, 2);
    const MessageId second = accept_part(f, 2, total, other);
    CHECK(states(f, {first, second}) == States{scheduled, scheduled});
    const MessageId rest = accept_part(f, 2, 2);
    CHECK(states(f, {first, second, rest}) == States{queued, scheduled, scheduled});
}

TEST_CASE("parts: a number that came already begins another message with the same key") {
    StoreFixture f;
    const MessageId first = accept_part(f, 1, 2);
    const MessageId again = accept_part(f, 1, 2);
    const MessageId second = accept_part(f, 2, 2);
    CHECK(states(f, {first, again, second}) == States{queued, scheduled, scheduled});
    const MessageId last = accept_part(f, 2, 2);
    CHECK(states(f, {again, last}) == States{queued, scheduled});
    const MessageId next = accept_part(f, 1, 2);  // both are whole: a third one
    CHECK(f.state(next) == scheduled);
}

TEST_CASE("parts: the next one goes whatever becomes of the one before") {
    StoreFixture f;
    const MessageId first = accept_part(f, 1, 3);
    const MessageId second = accept_part(f, 2, 3);
    const MessageId third = accept_part(f, 3, 3);
    SUBCASE("cancelled while it waits its turn") {
        REQUIRE(f.ask(ports::CancelMessage{second, f.clock.wall()}));
        CHECK(states(f, {first, third}) == States{queued, scheduled});
        send(f, first);
    }
    SUBCASE("cancelled in the queue") {
        REQUIRE(f.ask(ports::CancelMessage{first, f.clock.wall()}));
        CHECK(states(f, {second, third}) == States{queued, scheduled});
        send(f, second);
    }
    SUBCASE("in doubt") {
        REQUIRE(f.end(f.silent(first, f.begin(first).value())));
        CHECK(states(f, {second, third}) == States{queued, scheduled});
        send(f, second);
    }
    SUBCASE("failed") {
        REQUIRE(f.finish(first, MessageEvent::give_up));
        CHECK(states(f, {second, third}) == States{queued, scheduled});
        send(f, second);
    }
    SUBCASE("between two attempts it is still its turn") {
        REQUIRE(f.end(f.refused(first, f.begin(first).value())));
        CHECK(states(f, {second, third}) == States{scheduled, scheduled});
        REQUIRE(f.finish(first, MessageEvent::give_up));
        send(f, second);
    }
    CHECK(f.state(third) == queued);
}

TEST_CASE("parts: a SIM keeps the set only once it may have sent a part") {
    StoreFixture f;
    const MessageId first = accept_part(f, 1, 2);
    const MessageId second = accept_part(f, 2, 2);
    const auto begin = [&](MessageId id, SimId sim, std::uint16_t ref) {
        return f
            .ask(ports::BeginAttempt{
                .message = id, .concat_ref = ref, .modem = "m0", .sim = sim, .at = f.clock.wall()})
            .value();
    };
    const SimId other{2};
    REQUIRE(f.end(f.refused(first, begin(first, f.sim, 4711))));
    CHECK_FALSE(loaded(f, first).sticky);
    CHECK(loaded(f, first).known_sim == SimId{});
    CHECK(loaded(f, first).concat_ref == 4711);
    const AttemptId again = begin(first, other, 4711);
    SUBCASE("accepted") {
        REQUIRE(f.end(f.taken(first, again, 0, 1)));
    }
    SUBCASE("the outcome is unknown") {
        REQUIRE(f.end(f.silent(first, again)));
    }
    SUBCASE("unknown after a restart") {
        f.reopen();
    }
    CHECK(f.state(second) == queued);
    CHECK(loaded(f, second).known_sim == other);
    CHECK(loaded(f, second).concat_ref == 4711);
    // A refusal of one SIM does not take the set from the SIM that has sent a part.
    REQUIRE(f.end(f.refused(second, begin(second, f.sim, 4711))));
    CHECK(loaded(f, second).known_sim == other);
}

TEST_CASE("parts: the next one goes when the one before expires in the queue") {
    StoreFixture f;
    NewMessage part = f.message();
    part.client = "a";
    part.part_key = "7";
    part.body.part = PartPlace{.total = 2, .number = 1};
    part.expires_at = f.clock.wall() + 10s;
    const MessageId first = f.accepted(part);
    const MessageId second = accept_part(f, 2, 2);
    CHECK(states(f, {first, second}) == States{queued, scheduled});
    f.clock.advance(11s);
    REQUIRE(f.ask(ports::ExpireOverdue{f.clock.wall(), 10}));
    CHECK(states(f, {first, second}) == States{MessageState::expired, queued});
}

TEST_CASE("parts: a part that was cancelled leaves its number to another one") {
    StoreFixture f;
    const MessageId first = accept_part(f, 1, 3);
    SUBCASE("the only one so far") {
        REQUIRE(f.ask(ports::CancelMessage{first, f.clock.wall()}));
        CHECK(open_sets(f) == 0);
        const MessageId again = accept_part(f, 1, 3);
        const MessageId second = accept_part(f, 2, 3);
        CHECK(states(f, {again, second}) == States{scheduled, scheduled});
        const MessageId third = accept_part(f, 3, 3);
        CHECK(states(f, {again, second, third}) == States{queued, scheduled, scheduled});
    }
    SUBCASE("one of two") {
        const MessageId second = accept_part(f, 2, 3);
        REQUIRE(f.ask(ports::CancelMessage{first, f.clock.wall()}));
        const MessageId again = accept_part(f, 1, 3);
        CHECK(states(f, {again, second}) == States{scheduled, scheduled});
        CHECK(open_sets(f) == 1);
        const MessageId third = accept_part(f, 3, 3);
        CHECK(states(f, {again, second, third}) == States{queued, scheduled, scheduled});
    }
    CHECK(open_sets(f) == 0);
}

TEST_CASE("parts: a set that stays incomplete takes no more after its time, and is closed") {
    StoreFixture f;
    std::vector<MessageId> ids;
    SUBCASE("when a part with a time of its own is due") {
        ids = {accept_part_at(f, 1, 3, 1h)};
        f.clock.advance(1h);
        (void)f.take_due();
        CHECK(open_sets(f) == 0);
    }
    SUBCASE("when a part with a time of its own is sent") {
        ids = {accept_part_at(f, 1, 3, 10s)};
        f.clock.advance(10s);
        (void)f.take_due();
        CHECK(open_sets(f) == 1);
        f.clock.advance(51s);
        send(f, ids[0]);
        CHECK(open_sets(f) == 0);
        return;
    }
    SUBCASE("when another one with its key begins") {
        ids = {accept_part_at(f, 1, 3, 1h)};
        f.clock.advance(61s);
        (void)accept_part_at(f, 1, 3, 1h);
        CHECK(open_sets(f) == 1);
        return;
    }
    SUBCASE("by the upkeep") {
        ids = {accept_part_at(f, 1, 3, 1h)};
        f.clock.advance(59s);
        REQUIRE(f.ask(ports::RemoveOld{f.clock.wall() - 1h, f.clock.wall() - 1h, 100}));
        CHECK(open_sets(f) == 1);
        f.clock.advance(2s);
        REQUIRE(f.ask(ports::RemoveOld{f.clock.wall() - 1h, f.clock.wall() - 1h, 100}));
        CHECK(open_sets(f) == 0);
        CHECK(f.state(ids[0]) == scheduled);
        return;
    }
    CHECK(f.state(ids[0]) == queued);
}

TEST_CASE("parts: many sets with one key at a time find their rest, one after the other") {
    StoreFixture f;
    constexpr int sets = 40;
    std::vector<MessageId> ids;
    for (int i = 0; i < sets; ++i) {
        ids.push_back(accept_part(f, 1, 2));
    }
    for (int i = 0; i < sets; ++i) {
        (void)accept_part(f, 2, 2);
    }
    CHECK(states(f, ids) == States(sets, queued));
    CHECK(open_sets(f) == 0);
}

TEST_CASE("parts: a time that the client gave holds, and the order too") {
    StoreFixture f;
    std::vector<MessageId> ids;
    for (const std::uint8_t number : {std::uint8_t{2}, std::uint8_t{1}}) {
        NewMessage part = f.message();
        part.part_key = "7";
        part.body.part = PartPlace{.total = 2, .number = number};
        part.not_before = f.clock.wall() + 1h;
        ids.push_back(f.accepted(part));
    }
    f.clock.advance(59min);
    (void)f.take_due();
    CHECK(states(f, ids) == States{scheduled, scheduled});
    f.clock.advance(1min);
    (void)f.take_due();
    CHECK(f.count(queued) == 1);
    const bool first_is_queued = f.state(ids[1]) == queued;
    send(f, first_is_queued ? ids[1] : ids[0]);
    CHECK(f.count(queued) == 1);
}

TEST_CASE("parts: the group of the first is the group of all, so that one SIM can send them") {
    StoreFixture f;
    NewMessage part = f.message();
    part.part_key = "7";
    part.group = "one";
    part.body.part = PartPlace{.total = 2, .number = 1};
    (void)f.accepted(part);
    part.group = "two";
    part.body.part->number = 2;
    const MessageId second = f.accepted(part);
    CHECK(f.detail(second).message.group == "one");
}

TEST_CASE("parts: a header of the client comes back as it was; anonymising takes it") {
    StoreFixture f;
    NewMessage part = f.message();
    part.body.elements = std::string("\x05\x04\x0b\x84\x23\xf0", 6);
    part.body.pid = 0x41;
    const MessageId id = f.sent(1, part);
    CHECK(loaded(f, id).body.pid == 0x41);
    CHECK(f.detail(id).message.body.pid == 0x41);
    CHECK(loaded(f, id).body.elements == part.body.elements);
    CHECK(f.detail(id).message.body.elements == part.body.elements);
    CHECK_FALSE(f.detail(id).message.body.part);
    f.clock.advance(48h);
    REQUIRE(f.ask(ports::Anonymise{f.clock.wall() - 24h, f.clock.wall() - 24h, 10}));
    CHECK(f.detail(id).message.body.elements.empty());
}

TEST_CASE("parts: number and key go when the set is whole, and the set with its last part") {
    StoreFixture f;
    const auto count = [&](db::Sql sql) { return number_of(f, sql); };
    const MessageId first = accept_part(f, 1, 2);
    CHECK(count("SELECT count(*) FROM part_sets WHERE to_addr <> ''") == 1);
    const MessageId second = accept_part(f, 2, 2);
    CHECK(count("SELECT count(*) FROM part_sets WHERE to_addr <> '' OR key <> ''") == 0);
    send(f, first);
    send(f, second);
    f.clock.advance(48h);
    CHECK(count("SELECT count(*) FROM part_sets") == 1);
    const WallTime before = f.clock.wall() - 24h;
    REQUIRE(f.ask(ports::RemoveOld{before, before, 100}));
    CHECK(count("SELECT count(*) FROM messages") == 0);
    CHECK(count("SELECT count(*) FROM part_sets") == 0);
}

TEST_CASE("parts: those that an earlier release left waiting for the one before go at the start") {
    StoreFixture f;
    const MessageId first = accept_part(f, 1, 3);
    const MessageId second = accept_part(f, 2, 3);
    const MessageId third = accept_part(f, 3, 3);
    // An earlier release knows no sets: it sends what is queued, and nothing follows.
    change(f, "UPDATE messages SET part_set = NULL");
    send(f, first);
    CHECK(states(f, {second, third}) == States{scheduled, scheduled});
    change(f, "UPDATE messages SET part_set = (SELECT id FROM part_sets)");
    CHECK(states(f, {second, third}) == States{queued, scheduled});
    f.reopen();
    CHECK(states(f, {second, third}) == States{queued, scheduled});
    send(f, second);
    CHECK(f.state(third) == queued);
}

TEST_CASE("parts: a set whose messages an earlier release has removed is removed") {
    StoreFixture f;
    const MessageId first = accept_part(f, 1, 2);
    f.clock.advance(61s);
    (void)f.take_due();
    send(f, first);
    change(f, "UPDATE messages SET part_set = NULL");
    f.clock.advance(48h);
    const MessageId kept = accept_part(f, 1, 2);
    const WallTime before = f.clock.wall() - 24h;
    REQUIRE(f.ask(ports::RemoveOld{before, before, 100}));
    REQUIRE(f.ask(ports::RemoveOld{before, before, 100}));
    CHECK(number_of(f, "SELECT count(*) FROM part_sets") == 1);
    CHECK(f.state(kept) == scheduled);
}

TEST_CASE("parts: a step of the clock does not keep siblings apart, nor hold them for long") {
    StoreFixture f;
    const MessageId first = accept_part(f, 1, 3);
    const WallTime before = f.clock.wall();
    const ClockMove move{.after = before - 1h, .until = before, .by = -24h};
    f.clock.set_date(before - 24h);
    REQUIRE(f.ask(ports::MoveTimes{move}));
    const MessageId second = accept_part(f, 2, 3);
    f.clock.advance(61s);
    (void)f.take_due();
    CHECK(states(f, {first, second}) == States{queued, scheduled});
}
