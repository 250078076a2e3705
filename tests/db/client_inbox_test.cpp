// Received messages in the stream of the client that wrote last to their sender.
#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

NewMessage of(const StoreFixture& f, const std::string& client,
              const std::string& to = "+33612345678") {
    NewMessage message = f.message(to);
    message.client = client;
    return message;
}

ClientId id_of(StoreFixture& f, const std::string& client) {
    return f.look([&](ports::StoreReader& r) { return r.client(client); }).value().id;
}

std::vector<Event> events_of(StoreFixture& f, EventScope scope, EventSeq after = {},
                             std::size_t limit = 100) {
    return f.look([&](ports::StoreReader& r) { return r.events_of(scope, after, limit); }).value();
}

using Inbox = std::vector<std::int64_t>;

/// Ids of the received messages that this stream has, which are the same live and read.
Inbox received(StoreFixture& f, EventScope scope) {
    Inbox ids;
    for (const Event& event : events_of(f, scope)) {
        if (event.type == EventType::message_received) {
            ids.push_back(event.inbox.value);
        }
    }
    Inbox live;
    for (const Event& event : f.heard.events) {
        if (event.type == EventType::message_received && scope.has(event)) {
            live.push_back(event.inbox.value);
        }
    }
    CHECK(ids == live);
    return ids;
}

Inbox replies(StoreFixture& f, const std::string& client) {
    return received(f, {.client = id_of(f, client), .inbox = InboxShare::replies});
}

Inbox all(StoreFixture& f, const std::string& client) {
    return received(f, {.client = id_of(f, client), .inbox = InboxShare::all});
}

std::int64_t arrives(StoreFixture& f, const std::string& from = "+33612345678") {
    static int count = 0;
    auto segment = f.inbound("answer " + std::to_string(++count));
    segment.from = from;
    return f.keep(segment)->inbox.value;
}

}  // namespace

TEST_CASE("client inbox: an answer is the client's that wrote last to its sender, and stays so") {
    StoreFixture f;
    f.sent(1, of(f, "a"));
    f.sent(2, of(f, "b", "+33700000000"));
    f.sent(3);  // no client's: it claims nothing
    const auto to_a = arrives(f, "0612345678");
    f.sent(4, of(f, "b"));
    const auto to_b = arrives(f);
    CHECK(replies(f, "a") == Inbox{to_a});
    CHECK(replies(f, "b") == Inbox{to_b});
    CHECK(received(f, {.client = id_of(f, "a")}).empty());
    f.reopen();
    f.clock.advance(240h);
    CHECK(replies(f, "a") == Inbox{to_a});
    CHECK(replies(f, "b") == Inbox{to_b});
}

TEST_CASE("client inbox: what answers no client is only in streams that want all") {
    StoreFixture f;
    f.sent(1, of(f, "a"));
    f.sent(2, of(f, "b", "+33700000000"));
    const auto of_stranger = arrives(f, "+33733333333");
    const auto to_b = arrives(f, "+33700000000");
    const auto of_name = arrives(f, "Bank");
    CHECK(replies(f, "a").empty());
    CHECK(all(f, "a") == Inbox{of_stranger, of_name});
    CHECK(all(f, "b") == Inbox{of_stranger, to_b, of_name});
}

TEST_CASE("client inbox: for 72 hours, of messages that were begun, by any SIM") {
    StoreFixture f;
    std::int64_t answer = 0;
    bool is_its_own = true;
    SUBCASE("within its time") {
        f.sent(1, of(f, "a"));
        f.clock.advance(72h);
        answer = arrives(f);
    }
    SUBCASE("after its time") {
        f.sent(1, of(f, "a"));
        f.clock.advance(72h + 1s);
        answer = arrives(f);
        is_its_own = false;
    }
    SUBCASE("written long ago for now") {
        NewMessage message = of(f, "a");
        message.not_before = f.clock.wall() + 100h;
        message.expires_at = f.clock.wall() + 200h;
        const MessageId id = f.accepted(message);
        f.clock.advance(100h);
        (void)f.take_due();
        REQUIRE(f.begin(id));
        answer = arrives(f);
    }
    SUBCASE("another SIM") {
        f.sent(1, of(f, "a"));
        f.sim = SimId{2};
        answer = arrives(f);
    }
    SUBCASE("not begun") {
        f.accepted(of(f, "a"));
        answer = arrives(f);
        is_its_own = false;
    }
    CHECK(replies(f, "a") == (is_its_own ? Inbox{answer} : Inbox{}));
    CHECK(all(f, "a") == Inbox{answer});
}

TEST_CASE("client inbox: one line of events with the results, page by page") {
    StoreFixture f;
    for (std::uint8_t i = 1; i <= 5; ++i) {
        f.sent(i, of(f, "a"));
        (void)arrives(f);
        (void)arrives(f, "+33733333333");
    }
    const EventScope scope{.client = id_of(f, "a"), .inbox = InboxShare::all};
    const auto whole = events_of(f, scope);
    REQUIRE(whole.size() == 25);
    CHECK(std::ranges::is_sorted(whole, {}, &Event::seq));
    std::vector<EventSeq> paged;
    for (EventSeq after{}; paged.size() < whole.size();) {
        const auto page = events_of(f, scope, after, 3);
        REQUIRE_FALSE(page.empty());
        for (const Event& event : page) {
            paged.push_back(event.seq);
        }
        after = paged.back();
    }
    CHECK(std::ranges::equal(whole, paged, {}, &Event::seq));
}

TEST_CASE("client inbox: an answer is no result: it is neither buffered nor acknowledged") {
    StoreFixture f;
    f.sent(1, of(f, "a"));
    const auto buffered = [&] {
        return f.look([](ports::StoreReader& r) { return r.client("a"); })->buffered;
    };
    REQUIRE(buffered() == 3);
    (void)arrives(f);
    CHECK(buffered() == 3);
    REQUIRE(f.ask(ports::AcknowledgeEvents{"a", f.heard.events.back().seq, f.clock.wall()}));
    CHECK(buffered() == 0);
}

TEST_CASE(
    "client inbox: an answer and a result wait for their client for as long as they are kept") {
    StoreFixture f;
    f.sent(1, of(f, "a"));
    f.keep(f.report(1));
    (void)arrives(f);
    const EventScope scope{.client = id_of(f, "a"), .inbox = InboxShare::replies};
    REQUIRE(events_of(f, scope).size() == 5);
    const WallTime then = f.clock.wall();
    f.clock.advance(24h * 90);
    REQUIRE(f.ask(ports::RemoveOld{then, then, 100}));  // nothing is that old
    CHECK(events_of(f, scope).size() == 5);
    const WallTime before = then + 1h;
    while (f.ask(ports::RemoveOld{before, before, 100}).value() > 0) {
    }
    CHECK(events_of(f, scope).empty());
}
