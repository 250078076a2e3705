// Which account brought a message: kept with it and its events, and the refs of accounts are apart.
#include "tests/db/store_fixture.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace smsrack::test {
namespace {

constexpr OwnerId anna{1001};
constexpr OwnerId bert{1002};

NewMessage of(const StoreFixture& f, OwnerId owner, const std::string& ref = "") {
    NewMessage message = f.message();
    message.owner = owner;
    message.ref = ref;
    return message;
}

std::vector<MessageId> listed(StoreFixture& f, ports::MessageFilter filter) {
    const auto rows = f.look([&](ports::StoreReader& r) { return r.messages(filter); });
    REQUIRE(rows);
    std::vector<MessageId> found;
    for (const ports::MessageRow& row : *rows) {
        found.push_back(row.id);
    }
    return found;
}

std::size_t events_of(StoreFixture& f, OwnerId owner, EventSeq after = {}) {
    const auto events =
        f.look([&](ports::StoreReader& r) { return r.events_of({.owner = owner}, after, 100); });
    REQUIRE(events);
    for (const Event& event : *events) {
        CHECK(event.owner == owner);
        CHECK(event.seq > after);
        CHECK(event.to == "+33612345678");
    }
    return events->size();
}

}  // namespace

TEST_CASE("owners: each account has its messages and their events, and none of another's") {
    StoreFixture f;
    const MessageId a = f.sent(1, of(f, anna));
    const MessageId b = f.sent(2, of(f, bert));
    const MessageId root = f.sent(3);
    f.keep(f.report(1));
    for (const bool again : {false, true}) {
        CAPTURE(again);
        CHECK(f.detail(a).message.owner == anna);
        CHECK(f.detail(root).message.owner == OwnerId{});
        CHECK(listed(f, {.owner = anna}) == std::vector{a});
        CHECK(listed(f, {.to = "+33612345678", .owner = bert}) == std::vector{b});
        CHECK(listed(f, {.state = MessageState::sent, .owner = anna}).empty());
        CHECK(listed(f, {.state = MessageState::delivered, .owner = anna}) == std::vector{a});
        CHECK(listed(f, {}).size() == 3);
        CHECK(events_of(f, anna) == 4);
        CHECK(events_of(f, bert) == 3);
        CHECK(events_of(f, bert, EventSeq{b.value}) == 2);
        f.reopen();
    }
    for (const Event& event : f.heard.events) {
        if (event.message == a) {
            CHECK(event.owner == anna);
        }
    }
}

TEST_CASE("owners: the same ref of two accounts is two messages") {
    StoreFixture f;
    const MessageId a = f.accepted(of(f, anna, "4711"));
    const MessageId b = f.accepted(of(f, bert, "4711"));
    CHECK(a != b);
    NewMessage other_text = of(f, bert, "4711");
    other_text.fingerprint = 99;
    const auto conflict = f.accept(other_text);
    REQUIRE_FALSE(conflict);
    CHECK(conflict.error().code == Errc::ref_conflict);
    CHECK(f.accepted(of(f, anna, "4711")) == a);
    CHECK(f.accepted(of(f, bert, "4711")) == b);

    SUBCASE("a client's refs are its own, whichever account uses its name") {
        NewMessage named = of(f, anna, "1");
        named.client = "billing";
        const MessageId first = f.accepted(named);
        named.owner = bert;
        CHECK(f.accepted(named) == first);
    }
    SUBCASE(
        "an account that begins to name itself still gets its first answers, another does not") {
        NewMessage named = of(f, anna, "4711");
        named.client = "billing";
        CHECK(f.accepted(named) == a);
        NewMessage third = of(f, OwnerId{1003}, "4711");
        third.client = "crm";
        CHECK(f.accepted(third) != a);
    }
}

}  // namespace smsrack::test
