#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

namespace {

ConcatInfo part(std::uint8_t seq, std::uint8_t total = 3, std::uint16_t ref = 5) {
    return {.ref = ref, .total = total, .seq = seq};
}

/// As it is read, which is as it was reported.
ports::InboxRow inbox_row(StoreFixture& f, InboxId id) {
    auto row = f.look([&](ports::StoreReader& r) { return r.inbox_row(id); });
    REQUIRE(row);
    const auto told = std::ranges::find(f.heard.received, id, &ports::InboxRow::id);
    REQUIRE(told != f.heard.received.end());
    CHECK(*told == *row);
    return *std::move(row);
}

/// In this place of the SIM until it is erased.
InboundSegment held(InboundSegment segment, std::uint16_t index = 1) {
    segment.held_at = HeldPlace{.memory = HeldIn::sim, .index = index};
    return segment;
}

std::size_t inbox_size(StoreFixture& f) {
    return f.look([](ports::StoreReader& r) { return r.inbox({}); })->size();
}

std::size_t release(StoreFixture& f, WallTime before) {
    return f.ask(ports::ReleaseIncomplete{before, 10}).value();
}

}  // namespace

TEST_CASE("store: a received message is in the inbox once, and told once") {
    StoreFixture f;
    const auto segment = held(f.inbound("hello"));
    const auto kept = f.keep(segment);
    REQUIRE(kept);
    CHECK_FALSE(kept->duplicate);
    const auto row = inbox_row(f, kept->inbox);
    CHECK(row.content.text == "hello");
    CHECK(row.from == "+33612345678");
    CHECK(row.segments == 1);
    CHECK_FALSE(row.incomplete);
    REQUIRE(f.heard.events.size() == 1);
    CHECK(f.heard.events[0].type == EventType::message_received);
    CHECK(f.heard.events[0].inbox == kept->inbox);
    CHECK(f.heard.received.size() == 1);

    f.reopen();
    // Read from the SIM once more, since the crash came before it was deleted.
    const auto again = f.keep(segment);
    REQUIRE(again);
    CHECK(again->duplicate);
    CHECK(again->inbox == kept->inbox);
    CHECK(inbox_size(f) == 1);
}

TEST_CASE(
    "store: the segments of a message are joined in whatever order they come, across a restart "
    "too") {
    StoreFixture f;
    CHECK(f.keep(f.inbound("c", part(3)))->inbox == InboxId{});
    CHECK(f.keep(f.inbound("a", part(1)))->inbox == InboxId{});
    CHECK(inbox_size(f) == 0);
    f.reopen();
    const auto last = f.keep(f.inbound("b", part(2)));
    REQUIRE(last->inbox != InboxId{});
    CHECK(inbox_row(f, last->inbox).content.text == "abc");
    CHECK(inbox_row(f, last->inbox).segments == 3);
}

TEST_CASE("store: segments of different messages are not mixed") {
    StoreFixture f;
    f.keep(f.inbound("a", part(1, 2)));
    auto other = f.inbound("b", part(2, 2));
    SUBCASE("another reference") {
        other.concat->ref = 6;
    }
    SUBCASE("another sender") {
        other.from = "+33700000000";
    }
    SUBCASE("another SIM") {
        other.sim = SimId{2};
    }
    SUBCASE("another length") {
        other.concat->total = 3;
    }
    SUBCASE("another width of the reference") {
        other.concat->ref_bits = 16;
    }
    SUBCASE("another day, when the sender has counted around") {
        f.clock.advance(std::chrono::hours(25));
        other.received_at = f.clock.wall();
    }
    CHECK(f.keep(other)->inbox == InboxId{});
    CHECK(inbox_size(f) == 0);
}

TEST_CASE(
    "store: a part that is read again is kept once; another text in its place is another message") {
    StoreFixture f;
    const auto part_a = held(f.inbound("a", part(1, 2)));
    f.keep(part_a);
    CHECK(f.keep(part_a)->duplicate);
    CHECK_FALSE(f.keep(f.inbound("x", part(1, 2)))->duplicate);
    const auto first = f.keep(f.inbound("b", part(2, 2)));
    const auto second = f.keep(f.inbound("y", part(2, 2)));
    CHECK(inbox_row(f, first->inbox).content.text == "ab");
    CHECK(inbox_row(f, second->inbox).content.text == "xy");
}

TEST_CASE(
    "store: a segment that says nonsense of its place is a message by itself, and is known again") {
    const auto nonsense = [](std::uint8_t seq, std::uint8_t total) {
        StoreFixture f;
        const auto segment = held(f.inbound("alone", part(seq, total)));
        const auto kept = f.keep(segment);
        REQUIRE(kept);
        CHECK_FALSE(kept->duplicate);
        const auto row = inbox_row(f, kept->inbox);
        CHECK(row.content.text == "alone");
        CHECK(row.segments == 1);
        CHECK_FALSE(row.incomplete);
        CHECK(f.keep(segment)->duplicate);
        CHECK(inbox_size(f) == 1);
    };
    nonsense(4, 3);
    nonsense(0, 3);
    nonsense(1, 1);
    nonsense(1, 0);
}

TEST_CASE("store: a message with segments missing is released after its time, and says so") {
    StoreFixture f;
    f.keep(f.inbound("a", part(1)));
    f.clock.advance(std::chrono::hours(1));
    f.keep(f.inbound("c", part(3)));
    const WallTime last = f.clock.wall();
    CHECK(release(f, last) == 0);
    CHECK(release(f, last + std::chrono::milliseconds(1)) == 1);
    const auto rows = f.look([](ports::StoreReader& r) { return r.inbox({}); });
    REQUIRE(rows->size() == 1);
    CHECK(rows->at(0).incomplete);
    CHECK(rows->at(0).content.text == "ac");
    CHECK(rows->at(0).segments == 3);
    CHECK(release(f, last + std::chrono::hours(1)) == 0);
}

TEST_CASE("store: what can't be decoded is kept as it came") {
    StoreFixture f;
    auto segment = f.inbound("");
    segment.kind = InboundKind::undecodable;
    segment.raw = std::string("\x07\x91\x00", 3);
    const auto row = inbox_row(f, f.keep(segment)->inbox);
    CHECK(row.undecodable);
    CHECK(row.content.is_data);
    CHECK(row.content.data == segment.raw);
}

TEST_CASE("store: an answer names the newest message that its SIM sent to that number") {
    StoreFixture f;
    f.sent(1);
    const MessageId newest = f.sent(2);
    f.sent(3, f.message("+33700000000"));
    f.accepted();  // not sent yet
    auto segment = f.inbound("yes");
    SUBCASE("the number as it was sent to") {}
    SUBCASE("the national form") {
        segment.from = "0612345678";
    }
    SUBCASE("after a restart") {
        f.reopen();
    }
    CHECK(inbox_row(f, f.keep(segment)->inbox).reply_to == newest);
}

TEST_CASE("store: a message from a stranger, or to another SIM, answers nothing") {
    StoreFixture f;
    f.sent(1);
    auto segment = f.inbound("hello");
    SUBCASE("a stranger") {
        segment.from = "+33711111111";
    }
    SUBCASE("another SIM") {
        segment.sim = SimId{2};
    }
    SUBCASE("a name") {
        segment.from = "Bank";
    }
    CHECK(inbox_row(f, f.keep(segment)->inbox).reply_to == MessageId{});
}

TEST_CASE("store: the inbox is read oldest first, from a cursor on") {
    StoreFixture f;
    std::vector<InboxId> ids;
    for (int i = 0; i < 5; ++i) {
        ids.push_back(f.keep(f.inbound(std::to_string(i)))->inbox);
        f.clock.advance(std::chrono::minutes(1));
    }
    const auto page =
        f.look([&](ports::StoreReader& r) { return r.inbox({.after = ids[1], .limit = 2}); });
    REQUIRE(page->size() == 2);
    CHECK(page->at(0).id == ids[2]);
    const WallTime since = f.clock.wall() - std::chrono::minutes(2);
    CHECK(f.look([&](ports::StoreReader& r) { return r.inbox({.since = since}); })->size() == 2);
    const auto before = f.look([&](ports::StoreReader& r) { return r.inbox({.until = since}); });
    const auto all = f.look([](ports::StoreReader& r) { return r.inbox({}); });
    CHECK(before->size() == all->size() - 2);
}

TEST_CASE("store: a part that comes after its message was given out makes it whole, in a new row") {
    StoreFixture f;
    f.keep(f.inbound("a", part(1)));
    const auto part_c = held(f.inbound("c", part(3)));
    f.keep(part_c);
    f.clock.advance(std::chrono::hours(2));
    REQUIRE(release(f, f.clock.wall()) == 1);
    const InboxId early = f.look([](ports::StoreReader& r) { return r.inbox({}); })->at(0).id;
    f.heard.events.clear();
    SUBCASE("at once") {}
    SUBCASE("after a restart") {
        f.reopen();
    }
    CHECK(f.keep(part_c)->duplicate);  // not erased as yet
    const auto late = f.keep(f.inbound("b", part(2)));
    REQUIRE(late->inbox != InboxId{});
    const auto row = inbox_row(f, late->inbox);
    CHECK(row.content.text == "abc");
    CHECK_FALSE(row.incomplete);
    CHECK(row.replaces == early);
    CHECK(inbox_row(f, early).content.text == "ac");
    CHECK(inbox_row(f, early).incomplete);
    REQUIRE(f.heard.events.size() == 1);
    CHECK(f.heard.events[0].inbox == late->inbox);
    CHECK(f.keep(f.inbound("b", part(2)))->inbox == InboxId{});  // begins another message
}

TEST_CASE("store: late parts of a longer message come one by one") {
    StoreFixture f;
    f.keep(f.inbound("a", part(1)));
    f.clock.advance(std::chrono::hours(2));
    REQUIRE(release(f, f.clock.wall()) == 1);
    const auto second = f.keep(f.inbound("b", part(2)));
    CHECK(inbox_row(f, second->inbox).content.text == "ab");
    CHECK(inbox_row(f, second->inbox).incomplete);
    const auto third = f.keep(f.inbound("c", part(3)));
    CHECK(inbox_row(f, third->inbox).content.text == "abc");
    CHECK(inbox_row(f, third->inbox).replaces == second->inbox);
    CHECK(inbox_size(f) == 3);
}

TEST_CASE("store: the same text sent twice by a person is two messages") {
    StoreFixture f;
    f.keep(f.inbound("yes"));
    f.keep(f.inbound("yes"));  // another time stamp, so another fingerprint
    CHECK(inbox_size(f) == 2);
    for (int i = 0; i < 2; ++i) {  // and a long one too, though its sender counts references badly
        CHECK_FALSE(f.keep(f.inbound("a", part(1, 2)))->duplicate);
        CHECK_FALSE(f.keep(f.inbound("b", part(2, 2)))->duplicate);
    }
    CHECK(inbox_size(f) == 4);
}

TEST_CASE("store: a replacing message names the one before it, and both stay") {
    StoreFixture f;
    const auto replacing = [&](std::string text, std::uint8_t pid, std::string from) {
        auto segment = f.inbound(std::move(text));
        segment.pid = pid;
        segment.from = std::move(from);
        return inbox_row(f, f.keep(segment)->inbox);
    };
    const auto first = replacing("3 left", 0x41, "Bank");
    CHECK(first.replaces == InboxId{});
    CHECK(replacing("other type", 0x42, "Bank").replaces == InboxId{});
    CHECK(replacing("other sender", 0x41, "Shop").replaces == InboxId{});
    CHECK(replacing("no type", 0x00, "Bank").replaces == InboxId{});
    const auto second = replacing("2 left", 0x41, "Bank");
    CHECK(second.replaces == first.id);
    CHECK(replacing("1 left", 0x41, "Bank").replaces == second.id);
    CHECK(inbox_size(f) == 6);
}

TEST_CASE("store: a silent message is known, and in no inbox") {
    StoreFixture f;
    auto segment = held(f.inbound(""));
    segment.pid = pid_silent;
    const auto kept = f.keep(segment);
    REQUIRE(kept);
    CHECK(kept->discarded);
    CHECK(kept->inbox == InboxId{});
    CHECK(inbox_size(f) == 0);
    CHECK(f.heard.events.empty());
    CHECK(f.keep(segment)->duplicate);
    CHECK(release(f, f.clock.wall() + std::chrono::hours(1)) == 0);
}

TEST_CASE("store: what a message says besides its text comes back as it was") {
    StoreFixture f;
    auto segment = f.inbound("2 new messages");
    segment.own_number = "+33699999999";
    segment.ports = PortAddress{.dst = 65'535, .src = 9'200};
    segment.message_class = 0;
    for (const bool active : {true, false}) {
        CAPTURE(active);
        segment.fingerprint[2] = active ? 1 : 2;
        segment.waiting = Waiting{.where = WaitingWhere::email, .active = active};
        const auto row = inbox_row(f, f.keep(segment)->inbox);
        CHECK(row.to == "+33699999999");
        CHECK(row.message_class == 0);
        REQUIRE((row.ports && row.waiting));
        CHECK(row.ports->dst == 65'535);
        CHECK(row.ports->src == 9'200);
        CHECK(row.waiting->where == WaitingWhere::email);
        CHECK(row.waiting->active == active);
    }
    const auto plain = inbox_row(f, f.keep(f.inbound("hello"))->inbox);
    CHECK_FALSE(plain.ports);
    CHECK_FALSE(plain.waiting);
}

TEST_CASE("store: another message with the reference of one before is another message") {
    StoreFixture f;
    f.keep(f.inbound("a", part(1, 2)));
    f.keep(f.inbound("b", part(2, 2)));
    SUBCASE("with another text") {
        CHECK_FALSE(f.keep(f.inbound("c", part(1, 2)))->duplicate);
        CHECK(f.keep(f.inbound("d", part(2, 2)))->inbox != InboxId{});
    }
    SUBCASE("with the same text, later") {
        f.clock.advance(std::chrono::minutes(6));
        CHECK_FALSE(f.keep(f.inbound("a", part(1, 2)))->duplicate);
        CHECK(f.keep(f.inbound("b", part(2, 2)))->inbox != InboxId{});
    }
    SUBCASE("from another sender") {
        auto first = f.inbound("a", part(1, 2));
        auto second = f.inbound("b", part(2, 2));
        first.from = second.from = "+33699999999";
        CHECK_FALSE(f.keep(first)->duplicate);
        CHECK(f.keep(second)->inbox != InboxId{});
    }
    CHECK(inbox_size(f) == 2);
}
