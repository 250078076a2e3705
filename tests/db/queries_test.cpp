#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

namespace {

std::vector<MessageId> listed(StoreFixture& f, const ports::MessageFilter& filter) {
    const auto rows = f.look([&](ports::StoreReader& r) { return r.messages(filter); });
    REQUIRE(rows);
    std::vector<MessageId> ids;
    for (const auto& row : *rows) {
        ids.push_back(row.id);
    }
    return ids;
}

}  // namespace

TEST_CASE("store: messages are listed newest first, by pages") {
    StoreFixture f;
    std::vector<MessageId> ids;
    for (int i = 0; i < 5; ++i) {
        ids.push_back(f.accepted());
    }
    CHECK(listed(f, {.limit = 2}) == std::vector{ids[4], ids[3]});
    CHECK(listed(f, {.before = ids[3], .limit = 2}) == std::vector{ids[2], ids[1]});
    CHECK(listed(f, {.before = ids[0]}).empty());
}

TEST_CASE("store: a row of the list says what there is to know") {
    StoreFixture f;
    auto message = f.message();
    message.ref = "r1";
    message.group = "orange";
    message.level = 6;
    const MessageId id = f.sent(9, message);
    const auto rows = f.look([](ports::StoreReader& r) { return r.messages({}); });
    REQUIRE(rows->size() == 1);
    const auto& row = rows->at(0);
    CHECK(row.id == id);
    CHECK(row.to == "+33612345678");
    CHECK(row.group == "orange");
    CHECK(row.ref == "r1");
    CHECK(row.level == 6);
    CHECK(row.modem == "m0");
    CHECK(row.state == MessageState::sent);
    CHECK(row.created_at == message.created_at);
    CHECK(row.expires_at == message.expires_at);
    CHECK_FALSE(row.due_at.has_value());
}

TEST_CASE("store: the list by every state") {
    StoreFixture f;
    const auto scheduled = [&] {
        auto m = f.message();
        m.not_before = f.clock.wall() + std::chrono::hours(1);
        return f.accepted(m);
    }();
    const auto queued = f.accepted();
    const auto sending = f.accepted();
    REQUIRE(f.begin(sending));
    const auto uncertain = f.accepted();
    REQUIRE(f.end(f.silent(uncertain, f.begin(uncertain).value())));
    const auto sent = f.sent(1);
    const auto delivered = f.sent(2);
    f.keep(f.report(2));
    const auto cancelled = f.accepted();
    REQUIRE(f.ask(ports::FinishMessage{cancelled, MessageEvent::cancel, "", f.clock.wall()}));
    struct Row {
        MessageState state;
        MessageId only;
    };
    for (const Row& row :
         {Row{MessageState::scheduled, scheduled}, Row{MessageState::queued, queued},
          Row{MessageState::sending, sending}, Row{MessageState::uncertain, uncertain},
          Row{MessageState::sent, sent}, Row{MessageState::delivered, delivered},
          Row{MessageState::cancelled, cancelled}}) {
        CAPTURE(message_state_name(row.state));
        CHECK(listed(f, {.state = row.state}) == std::vector{row.only});
        CHECK(f.count(row.state) == 1);
    }
    CHECK(listed(f, {.state = MessageState::failed}).empty());
}

TEST_CASE("store: the list of a level and of a group, found by walking back") {
    StoreFixture f;
    const auto accept = [&](Level level, const char* group) {
        auto message = f.message("+33612345678");
        message.level = level;
        message.group = group;
        MessageId id;
        f.store->post(ports::Accept{message}, [&id](Result<ports::Accepted> a) { id = a->id; });
        f.run();
        return id;
    };
    const auto high = accept(6, "orange");
    const auto low = accept(0, "orange");
    const auto other = accept(6, "free");
    CHECK(listed(f, {.level = Level{6}}) == std::vector{other, high});
    CHECK(listed(f, {.group = "orange"}) == std::vector{low, high});
    CHECK(listed(f, {.level = Level{6}, .group = "orange"}) == std::vector{high});
    CHECK(listed(f, {.group = "none"}).empty());
}

TEST_CASE("store: the list from a time on") {
    StoreFixture f;
    std::vector<MessageId> ids;
    for (int i = 0; i < 20; ++i) {
        ids.push_back(f.sent(static_cast<std::uint8_t>(i)));
        f.clock.advance(std::chrono::minutes(1));
    }
    const WallTime now = f.clock.wall();
    CHECK(listed(f, {.since = now - std::chrono::minutes(2)}) == std::vector{ids[19], ids[18]});
    CHECK(listed(f, {.since = now - std::chrono::hours(2)}).size() == 20);
    CHECK(listed(f, {.since = now}).empty());
    CHECK(listed(f, {.until = now - std::chrono::minutes(2)}).size() == 18);
    CHECK(listed(f, {.until = now - std::chrono::hours(2)}).empty());
    CHECK(listed(f, {.since = now - std::chrono::minutes(3),
                     .until = now - std::chrono::minutes(2)}) == std::vector{ids[17]});
}

TEST_CASE("store: by number or ref, whether the message is new or in an old run") {
    StoreFixture f;
    std::vector<MessageId> mine;
    constexpr int messages = 40'000;  // beyond the second run
    for (int i = 0; i < messages; ++i) {
        const bool wanted = i % 10'000 == 0;
        auto message = f.message(wanted ? "+33600000001" : "+337" + std::to_string(10'000'000 + i));
        message.ref = "r" + std::to_string(i);
        f.store->post(ports::Accept{message}, [&mine, wanted](Result<ports::Accepted> a) {
            if (wanted) {
                mine.push_back(a->id);
            }
        });
        if (i % 4'000 == 0) {
            f.run();
        }
    }
    f.run();
    REQUIRE(mine.size() == 4);
    CHECK(listed(f, {.to = "+33600000001"}) == std::vector(mine.rbegin(), mine.rend()));
    CHECK(listed(f, {.to = "+33600000001", .before = mine[2], .limit = 1}) == std::vector{mine[1]});
    CHECK(listed(f, {.to = "+44600000001"}).empty());  // the same last digits, another number
    CHECK(listed(f, {.ref = "r0"}) == std::vector{mine[0]});
    CHECK(listed(f, {.ref = "r30000"}) == std::vector{mine[3]});
    CHECK(listed(f, {.ref = "r99999"}).empty());
}

TEST_CASE("store: the event log is one line of events, each once, in order, from any place on") {
    StoreFixture f;
    f.sent(1);
    f.accepted();
    f.keep(f.inbound("hello"));
    Event modem;
    modem.type = EventType::modem_state;
    modem.at = f.clock.wall();
    modem.modem = "m3";
    modem.detail = "active";
    f.store->post(ports::KeepEvent{modem});
    f.run();

    const auto all = f.look([](ports::StoreReader& r) { return r.events({}, 100); });
    REQUIRE(all);
    REQUIRE(all->size() == f.heard.events.size());
    REQUIRE(all->size() == 6);
    for (std::size_t i = 0; i < all->size(); ++i) {
        CHECK(all->at(i).seq == f.heard.events[i].seq);
        CHECK(event_name(all->at(i)) == event_name(f.heard.events[i]));
        CHECK(all->at(i).message == f.heard.events[i].message);
        CHECK(all->at(i).to == f.heard.events[i].to);
        CHECK(all->at(i).to == (all->at(i).message.value != 0 ? "+33612345678" : ""));
        CHECK((i == 0 || all->at(i - 1).seq < all->at(i).seq));
        const auto rest =
            f.look([&](ports::StoreReader& r) { return r.events(all->at(i).seq, 2); });
        CHECK(rest->size() == std::min<std::size_t>(2, all->size() - 1 - i));
    }
    CHECK(all->back().modem == "m3");
    CHECK(all->back().detail == "active");
    CHECK(f.look([](ports::StoreReader& r) { return r.last_event(); }).value() == all->back().seq);
}

TEST_CASE("store: what is not there is not found") {
    StoreFixture f;
    const auto code = [&](auto question) { return f.look(question).error().code; };
    CHECK(code([](ports::StoreReader& r) { return r.message(MessageId{1}); }) == Errc::not_found);
    CHECK(code([](ports::StoreReader& r) { return r.out_message(MessageId{1}); }) ==
          Errc::not_found);
    CHECK(code([](ports::StoreReader& r) { return r.inbox_row(InboxId{1}); }) == Errc::not_found);
    CHECK_FALSE(f.look([](ports::StoreReader& r) { return r.next_due({}); }).value().has_value());
}

TEST_CASE("store: a name has one id for ever") {
    StoreFixture f;
    const auto sim = [&](const char* iccid, const char* imsi) {
        return f.ask(ports::IdentifySim{iccid, imsi}).value();
    };
    const GroupId group = f.store->group_id("orange").value();
    const SimId first = sim("8933", "208");
    CHECK(sim("8934", "208") != first);
    CHECK(sim("", "208") != first);  // a card that tells no ICCID goes by its IMSI
    f.reopen();
    CHECK(f.store->group_id("orange").value() == group);
    CHECK(f.store->group_id("other").value() != group);
    CHECK(sim("8933", "209") == first);
}
