// Searches: what they find, and how far one step goes.
#include "tests/db/store_fixture.hpp"

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

ports::Wanted text_of(std::string part) {
    return [part = std::move(part)](std::string_view, std::string_view text) {
        return text.contains(part);
    };
}

ports::FoundMessages found(StoreFixture& f, const ports::MessageFilter& filter,
                           const ports::Wanted& wanted) {
    return f.look([&](ports::StoreReader& r) { return r.find_messages(filter, wanted); }).value();
}

std::vector<MessageId> ids_of(const ports::FoundMessages& found) {
    std::vector<MessageId> ids;
    for (const ports::MessageRow& row : found.rows) {
        ids.push_back(row.id);
    }
    return ids;
}

}  // namespace

TEST_CASE("search: messages by number and text, together with each other filter") {
    StoreFixture f;
    auto message = f.message("+33600000001", "the lift");
    message.ref = "r1";
    message.batch = "spring";
    message.client = "billing";
    message.owner = OwnerId{1001};
    const MessageId one = f.sent(1, message);
    const MessageId two = f.accepted(f.message("+33600000002", "the lift again"));
    const MessageId other = f.accepted(f.message("+33600000003", "the stairs"));
    const auto lift = text_of("lift");
    CHECK(ids_of(found(f, {}, lift)) == std::vector{two, one});
    CHECK(found(f, {}, lift).next == MessageId{});
    CHECK(found(f, {}, lift).rows[0].body.text == "the lift again");
    const auto of_third = [](std::string_view number, std::string_view) {
        return number.ends_with("3");
    };
    CHECK(ids_of(found(f, {}, of_third)) == std::vector{other});
    for (const ports::MessageFilter& filter :
         {ports::MessageFilter{.state = MessageState::sent}, ports::MessageFilter{.ref = "r1"},
          ports::MessageFilter{.to = "+33600000001"}, ports::MessageFilter{.batch = "spring"},
          ports::MessageFilter{.client = "billing"}, ports::MessageFilter{.owner = OwnerId{1001}},
          ports::MessageFilter{.before = two}}) {
        CHECK(ids_of(found(f, filter, lift)) == std::vector{one});
        CHECK(found(f, filter, text_of("stairs")).rows.empty());
    }
    CHECK(ids_of(found(f, {.since = f.clock.wall() + 1s}, lift)).empty());
}

TEST_CASE("search: octets are no text") {
    StoreFixture f;
    NewMessage message = f.message();
    message.body.text = "";
    message.body.data = "lift";
    message.body.is_data = true;
    (void)f.accepted(message);
    CHECK(found(f, {}, text_of("lift")).rows.empty());
}

TEST_CASE(
    "search: a step looks at a bounded number of messages, also of those that state passes by") {
    StoreFixture f;
    const MessageId oldest = f.sent(1, f.message("+33612345678", "needle"));
    constexpr auto many = static_cast<int>(ports::search_rows_max);
    for (int i = 0; i < many; ++i) {
        f.store->post(ports::Accept{f.message("+337" + std::to_string(10'000'000 + i), "hay")});
        if (i % 4'000 == 0) {
            f.run();
        }
    }
    f.run();
    std::size_t looked_at = 0;
    const auto counted = [&](std::string_view, std::string_view text) {
        ++looked_at;
        return text == "needle";
    };
    const auto first = found(f, {}, counted);
    CHECK(first.rows.empty());
    CHECK(first.next != MessageId{});
    CHECK(looked_at == ports::search_rows_max);
    CHECK(ids_of(found(f, {.before = first.next}, counted)) == std::vector{oldest});
    CHECK(ids_of(found(f, {.state = MessageState::sent}, counted)) == std::vector{oldest});
    const auto full = found(f, {.limit = 2}, text_of("hay"));
    CHECK(full.rows.size() == 2);
    CHECK(full.next == full.rows[1].id);
}

TEST_CASE("search: the inbox, oldest first, from a time on and step by step") {
    StoreFixture f;
    std::vector<InboxId> ids;
    for (int i = 0; i < 6; ++i) {
        ids.push_back(f.keep(f.inbound(i % 2 == 0 ? "yes " + std::to_string(i) : "no"))->inbox);
        f.clock.advance(1min);
    }
    const auto look = [&](const ports::InboxFilter& filter) {
        return f.look([&](ports::StoreReader& r) { return r.find_inbox(filter, text_of("yes")); })
            .value();
    };
    const auto all = look({});
    REQUIRE(all.rows.size() == 3);
    CHECK(all.rows[0].id == ids[0]);
    CHECK(all.next == InboxId{});
    const auto first = look({.limit = 1});
    REQUIRE(first.rows.size() == 1);
    CHECK(first.next == ids[0]);
    CHECK(look({.after = first.next, .limit = 1}).rows[0].id == ids[2]);
    const auto late = look({.since = f.clock.wall() - 2min});
    REQUIRE(late.rows.size() == 1);
    CHECK(late.rows[0].id == ids[4]);
    CHECK(look({.bytes_max = 1}).rows.size() == 1);
    CHECK(look({.bytes_max = 1}).next == ids[0]);
}
