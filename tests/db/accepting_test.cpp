#include "tests/db/small_disk.hpp"
#include "tests/db/store_fixture.hpp"

#include <functional>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

TEST_CASE("store: an accepted message is queued, counted, told and found again") {
    StoreFixture f;
    auto message = f.message();
    message.level = 5;
    const auto answer = f.accept(message);
    REQUIRE(answer);
    CHECK(answer->state == MessageState::queued);
    CHECK_FALSE(answer->repeated);

    CHECK(f.count(MessageState::queued) == 1);
    CHECK(f.store->waiting().at(5) == 1);
    REQUIRE(f.heard.events.size() == 1);
    CHECK(f.heard.events[0].message == answer->id);
    CHECK(f.heard.events[0].state == MessageState::queued);
    const GroupId group = f.store->group_id("default").value();
    REQUIRE(f.heard.work.size() == 1);
    CHECK(f.heard.work[0] == std::pair(group, Level{5}));

    const auto queued = f.look([&](ports::StoreReader& r) { return r.queued(group, 5, {}, 10); });
    REQUIRE(queued);
    REQUIRE(queued->size() == 1);
    CHECK(queued->front().id == answer->id);
    CHECK(queued->front().body.to == "+33612345678");
    CHECK(queued->front().body.text == "hello");
    CHECK(queued->front().expires_at == message.expires_at);
    CHECK(queued->front().segments.empty());
}

TEST_CASE("store: every part of a body comes back as it was given") {
    StoreFixture f;
    auto message = f.message();
    message.body.text.clear();
    message.body.is_data = true;
    message.body.data = std::string("\x00\xFF\x01", 3);
    message.body.report = false;
    message.body.message_class = 2;
    message.body.ports = PortAddress{.dst = 65'535, .src = 16};
    const MessageId id = f.accepted(message);
    const auto out = f.look([&](ports::StoreReader& r) { return r.out_message(id); });
    REQUIRE(out);
    CHECK(out->body.is_data);
    CHECK(out->body.data == message.body.data);
    CHECK(out->body.text.empty());
    CHECK_FALSE(out->body.report);
    CHECK(out->body.message_class == 2);
    REQUIRE(out->body.ports);
    CHECK(out->body.ports->dst == 65'535);
    CHECK(out->body.ports->src == 16);
}

TEST_CASE("store: a message knows the SIM that its client named, as the line will name it") {
    StoreFixture f;
    const SimCard card{.iccid = "8933000", .imsi = "20801"};
    auto message = f.message();
    message.by = card;
    const MessageId id = f.accepted(message);
    const SimId sim = f.ask(ports::IdentifySim{.iccid = card.iccid, .imsi = card.imsi}).value();
    const MessageId other = f.accepted();
    f.store.reset();
    f.open();
    const GroupId group = f.store->group_id("default").value();
    const auto queued =
        f.look([&](ports::StoreReader& r) { return r.queued(group, message.level, {}, 10); });
    REQUIRE(queued);
    REQUIRE(queued->size() == 2);
    CHECK(queued->front().id == id);
    const auto loaded = f.look([&](ports::StoreReader& r) { return r.out_message(id); });
    REQUIRE(loaded);
    for (const OutMessage& one : {queued->front(), *loaded}) {
        CHECK(one.sticky);
        CHECK(one.sim_is_named);
        CHECK(one.known_sim == sim);
    }
    CHECK(queued->back().id == other);
    CHECK_FALSE(queued->back().sim_is_named);
    CHECK(f.detail(id).by == card);
    CHECK_FALSE(f.detail(other).by);
}

TEST_CASE("store: a named SIM that tells no ICCID is read as it was named") {
    StoreFixture f;
    auto message = f.message();
    message.by = SimCard{.imsi = "20801"};
    CHECK(f.detail(f.accepted(message)).by == message.by);
}

TEST_CASE("store: a note comes back with the message, and with each event, live and read") {
    StoreFixture f;
    auto message = f.message();
    message.note = "order 7 \u00e9";
    const MessageId id = f.sent(1, message);
    const MessageId without = f.sent(2);
    f.reopen();
    CHECK(f.detail(id).message.note == message.note);
    CHECK(f.detail(without).message.note.empty());
    const auto listed = [&](bool with_body) {
        return f.look([&](ports::StoreReader& r) {
            return r.messages({.before = without, .limit = 1, .with_body = with_body});
        });
    };
    CHECK(listed(true)->at(0).note == message.note);
    CHECK(listed(false)->at(0).note.empty());

    auto events = f.look([](ports::StoreReader& r) { return r.events({}, 100); }).value();
    events.insert(events.end(), f.heard.events.begin(), f.heard.events.end());
    REQUIRE(events.size() == 12);
    for (const Event& event : events) {
        CHECK(event.note == (event.message == id ? message.note : ""));
    }
    CHECK(f.detail(id).history.back().note == message.note);
}

TEST_CASE("store: queued messages of a group and level come oldest first, from a cursor on") {
    StoreFixture f;
    std::vector<MessageId> ids;
    for (int i = 0; i < 5; ++i) {
        ids.push_back(f.accepted());
        auto other = f.message();
        other.level = 6;
        f.accepted(other);
        auto elsewhere = f.message();
        elsewhere.group = "orange";
        f.accepted(elsewhere);
    }
    const GroupId group = f.store->group_id("default").value();
    const auto page = f.look(
        [&](ports::StoreReader& r) { return r.queued(group, 3, EventSeq{ids[1].value}, 2); });
    REQUIRE(page);
    REQUIRE(page->size() == 2);
    CHECK(page->at(0).id == ids[2]);
    CHECK(page->at(1).id == ids[3]);
}

TEST_CASE("store: since when the message waits that waits longest, over groups and levels") {
    StoreFixture f;
    const auto longest = [&] {
        const auto seen =
            f.look([](ports::StoreReader& reader) { return reader.longest_waiting(); });
        REQUIRE(seen);
        return *seen;
    };
    CHECK(longest() == std::nullopt);
    const WallTime first = f.clock.wall();
    auto message = f.message();
    message.group = "orange";
    message.level = 6;
    const MessageId oldest = f.accepted(message);
    f.clock.advance(std::chrono::minutes(1));
    const WallTime second = f.clock.wall();
    f.accepted();
    f.clock.advance(std::chrono::minutes(1));
    f.accepted();
    CHECK(longest() == first);
    REQUIRE(f.ask(ports::CancelMessage{oldest, f.clock.wall()}));
    CHECK(longest() == second);
}

TEST_CASE("store: a ref answers once") {
    StoreFixture f;
    auto message = f.message();
    message.ref = "order-1";
    message.fingerprint = 11;
    message.segments = 2;
    const auto first = f.accept(message);
    REQUIRE(first);

    SUBCASE("the same request gets the first answer again") {
        SUBCASE("at once") {}
        SUBCASE("after a restart") {
            f.reopen();
        }
        const auto again = f.accept(message);
        REQUIRE(again);
        CHECK(again->id == first->id);
        CHECK(again->segments == 2);
        CHECK(again->repeated);
        CHECK(f.count(MessageState::queued) == 1);
    }
    SUBCASE("another request is a conflict") {
        message.fingerprint = 12;
        const auto other = f.accept(message);
        REQUIRE_FALSE(other);
        CHECK(other.error().code == Errc::ref_conflict);
    }
    SUBCASE("two in one batch") {
        message.ref = "order-2";
        std::vector<MessageId> ids;
        for (int i = 0; i < 2; ++i) {
            f.store->post(ports::Accept{message}, [&](Result<ports::Accepted> answer) {
                ids.push_back(answer.value().id);
            });
        }
        f.run();
        REQUIRE(ids.size() == 2);
        CHECK(ids[0] == ids[1]);
    }
}

TEST_CASE(
    "store: a ref is known whether its entry is in memory, on its way to disk or in an old run") {
    StoreFixture f;
    constexpr int messages = 40'000;  // two runs and a part of a third
    std::vector<MessageId> ids(messages);
    for (int i = 0; i < messages; ++i) {
        auto message = f.message();
        message.ref = "r" + std::to_string(i);
        f.store->post(ports::Accept{message}, [&ids, i](Result<ports::Accepted> a) {
            ids[static_cast<std::size_t>(i)] = a->id;
        });
        if (i % 4'000 == 0) {
            f.run();
        }
    }
    f.run();
    for (const bool reopened : {false, true}) {
        CAPTURE(reopened);
        if (reopened) {
            f.reopen();
        }
        for (int i = 0; i < messages; i += 997) {
            auto message = f.message();
            message.ref = "r" + std::to_string(i);
            const auto again = f.accept(message);
            REQUIRE(again);
            CHECK(again->id == ids[static_cast<std::size_t>(i)]);
        }
        CHECK(f.count(MessageState::queued) == messages);
    }
}

TEST_CASE("store: the duplicate window refuses the same number and text, as long as it lasts") {
    StoreFixture f({.duplicate_window = std::chrono::seconds(60)});
    auto message = f.message();
    message.text_hash = 99;
    message.check_duplicate = true;
    REQUIRE(f.accept(message));

    SUBCASE("within the window") {
        f.clock.advance(std::chrono::seconds(59));
        SUBCASE("in memory") {}
        SUBCASE("after a restart") {
            f.reopen();
        }
        message.created_at = f.clock.wall();
        const auto again = f.accept(message);
        REQUIRE_FALSE(again);
        CHECK(again.error().code == Errc::duplicate);
    }
    SUBCASE("not where it was allowed") {
        message.check_duplicate = false;
        CHECK(f.accept(message));
    }
    SUBCASE("not after it") {
        f.clock.advance(std::chrono::seconds(60));
        message.created_at = f.clock.wall();
        CHECK(f.accept(message));
    }
}

TEST_CASE(
    "store: a message dated before the clock was set that comes to the disk behind the move is "
    "moved, one dated after it is not") {
    for (const auto by : {std::chrono::hours(3), std::chrono::hours(-3)}) {
        CAPTURE(by.count());
        StoreFixture f;
        std::vector<MessageId> ids;
        const auto post = [&](const NewMessage& message) {
            f.store->post(ports::Accept{message}, [&ids](Result<ports::Accepted> accepted) {
                REQUIRE(accepted);
                ids.push_back(accepted->id);
            });
        };
        const auto before = f.message();
        auto scheduled = f.message();
        scheduled.not_before = f.clock.wall() + std::chrono::hours(12);
        post(before);
        post(scheduled);
        const ClockMove move{
            .after = f.clock.wall() - std::chrono::days(1), .until = f.clock.wall(), .by = by};
        f.store->post(ports::MoveTimes{move}, [](Result<std::size_t> moved) { CHECK(moved); });
        f.clock.set_date(f.clock.wall() + by);
        const auto behind = f.message();
        post(behind);
        f.run();
        REQUIRE(ids.size() == 3);
        const auto kept = [&](std::size_t i) { return f.detail(ids[i]).message; };
        CHECK(kept(0).created_at == f.clock.wall());
        CHECK(kept(0).expires_at == before.expires_at + by);
        CHECK(kept(1).created_at == f.clock.wall());
        CHECK(kept(1).due_at == scheduled.not_before);
        CHECK(kept(1).expires_at == scheduled.expires_at);
        CHECK(kept(2).created_at == behind.created_at);
        CHECK(kept(2).expires_at == behind.expires_at);
    }
}

TEST_CASE("store: beyond its capacity it is full, and says when to come again") {
    StoreFixture f({.capacity = 2});
    auto scheduled = f.message();
    scheduled.not_before = f.clock.wall() + std::chrono::hours(1);
    f.accepted(scheduled);
    auto known = f.message();
    known.ref = "known";
    const MessageId id = f.accepted(known);
    const auto third = f.accept(f.message());
    REQUIRE_FALSE(third);
    CHECK(third.error().code == Errc::queue_full);
    CHECK(third.error().retry_after.has_value());
    CHECK(f.accept(known)->id == id);  // a ref known already is answered before the capacity counts

    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    REQUIRE(f.end(f.taken(id, *attempt, 0, 1)));
    CHECK(f.accept(f.message()));
}

TEST_CASE(
    "store: when the disk falls behind, accept() answers at once instead of queueing without end") {
    StoreFixture f({.intake_waiting_max = 3});
    int full = 0;
    int kept = 0;
    for (int i = 0; i < 5; ++i) {
        f.store->post(ports::Accept{f.message()}, [&](Result<ports::Accepted> answer) {
            if (answer) {
                ++kept;
            } else {
                CHECK(answer.error().code == Errc::queue_full);
                CHECK(answer.error().retry_after.has_value());
                ++full;
            }
        });
    }
    CHECK(full == 2);
    f.run();
    CHECK(kept == 3);
    CHECK(f.accept(f.message()));
}

namespace {

/// A line of the group is free. Accepts are posted, and not yet committed.
struct EagerFixture : StoreFixture {
    EagerFixture() : StoreFixture() { heard.eager = store->group_id("default").value(); }
    void post(NewMessage m) {
        store->post(ports::Accept{std::move(m)},
                    [this](Result<ports::Accepted> given) { answer.emplace(std::move(given)); });
        (void)store->writer().step(clock.steady());
    }
    [[nodiscard]] std::size_t rows() {
        return static_cast<std::size_t>(count(MessageState::queued) + count(MessageState::sending));
    }
    std::optional<Result<ports::Accepted>> answer = {};
};

}  // namespace

TEST_CASE("store: a free line gets a message before its commit, which has its attempt too") {
    EagerFixture f;
    auto message = f.message();
    message.level = 5;
    message.body.report = false;
    f.post(message);
    REQUIRE(f.heard.announced.size() == 1);
    CHECK_FALSE(f.answer);
    CHECK(f.heard.events.empty());
    const OutMessage told = f.heard.announced.front();
    const auto attempt = f.begin(told.id);
    REQUIRE(attempt);
    REQUIRE(f.answer);
    REQUIRE(*f.answer);
    CHECK((*f.answer)->id == told.id);
    REQUIRE(f.heard.events.size() == 2);
    CHECK(f.heard.events[0].state == MessageState::queued);
    CHECK(f.heard.events[1].state == MessageState::sending);
    CHECK(f.heard.events[0].seq < f.heard.events[1].seq);
    CHECK(f.state(told.id) == MessageState::sending);
    CHECK(f.heard.work.empty());  // so the readers are not asked for it
}

TEST_CASE(
    "store: where a message begins in the commit that accepts it and another one came, work "
    "waits") {
    EagerFixture f;
    f.post(f.message());
    REQUIRE(f.heard.announced.size() == 1);
    const MessageId told = f.heard.announced.front().id;
    f.store->post(ports::Accept{f.message()}, {});
    REQUIRE(f.begin(told));
    CHECK(f.state(told) == MessageState::sending);
    CHECK(f.heard.work.size() == 1);
}

TEST_CASE("store: what is announced is what readers would load") {
    EagerFixture f;
    auto message = f.message();
    message.level = 6;
    message.body.message_class = 1;
    message.body.ports = PortAddress{.dst = 5, .src = 6};
    message.client = "";
    f.post(message);
    f.clock.advance(std::chrono::milliseconds(3));
    f.run();
    const auto queued =
        f.look([&](ports::StoreReader& r) { return r.queued(*f.heard.eager, Level{6}, {}, 10); });
    REQUIRE(queued);
    REQUIRE(queued->size() == 1);
    REQUIRE(f.heard.announced.size() == 1);
    const OutMessage& read = queued->front();
    const OutMessage& told = f.heard.announced.front();
    CHECK(told.id == read.id);
    CHECK(told.body.to == read.body.to);
    CHECK(told.body.text == read.body.text);
    CHECK(told.body.report == read.body.report);
    CHECK(told.body.message_class == read.body.message_class);
    CHECK(told.body.ports == read.body.ports);
    CHECK(told.level == read.level);
    CHECK(told.group == read.group);
    CHECK(told.created_at == read.created_at);
    CHECK(told.queued_at == read.queued_at);
    CHECK(told.queued_by == read.queued_by);
    CHECK(told.expires_at == read.expires_at);
    CHECK(told.attempts == read.attempts);
    CHECK(told.segments == read.segments);
    CHECK(told.batch == read.batch);
    CHECK(told.sticky == read.sticky);
}

TEST_CASE("store: only what is kept and goes at once is announced") {
    struct Case {
        const char* what;
        std::function<void(EagerFixture&, NewMessage&)> makes;
    };
    for (const Case& row :
         {Case{"scheduled", [](auto&f, auto&m) { m.not_before = f.clock.wall() + 1h; }},
          Case{"in a batch", [](auto&, auto&m) { m.batch = "may"; }},
          Case{"by the SIM that its recipient knows", [](auto&, auto&m) { m.sticky = true; }},
          Case{"by the SIM that its client named",
               [](auto&, auto&m) { m.by = SimCard{.iccid = "8933", .imsi = "208"}; }},
          Case{"a part of a longer one",
               [](auto&, auto&m) {
                   m.body.part = PartPlace{.total = 2, .number = 1};
                   m.part_key = "7";
               }},
          Case{"the rack's own", [](auto&, auto&m) { m.self_sms = true; }},
          Case{"of a new client", [](auto&, auto&m) { m.client = "billing"; }},
          Case{"of a group without a free line", [](auto&, auto&m) { m.group = "other"; }},
          Case{"not admitted", [](auto&, auto&m) { m.admitted = false; }},
          Case{"against a rule", [](auto&, auto&m) { m.refused = Error{.code = Errc::forbidden}; }},
          Case{"a ref that is known", [](auto&f, auto&m) {
                   m.ref = "r1";
                   f.heard.eager.reset();
                   (void)f.accepted(m);
                   f.heard.eager = f.store->group_id("default").value();
               }}}) {
        CAPTURE(row.what);
        EagerFixture f;
        auto message = f.message();
        row.makes(f, message);
        f.post(message);
        CHECK(f.heard.announced.empty());
        CHECK(f.answer.has_value());
    }
}

TEST_CASE("store: a client that need not be known is none, and its message is announced") {
    EagerFixture f;
    auto message = f.message();
    message.client = "stranger";
    message.client_if_known = true;
    f.post(message);
    CHECK(f.heard.announced.size() == 1);
}

TEST_CASE("store: the number of a message that the disk refused is no other message's") {
    EagerFixture f;
    MessageId told;
    {
        const test::SmallDisk disk(4 * 1024);
        f.post(f.message());
        REQUIRE(f.heard.announced.size() == 1);
        told = f.heard.announced.front().id;
        CHECK(f.begin(told).error().code == Errc::storage);
        REQUIRE(f.answer);
        CHECK(f.answer->error().code == Errc::storage);
    }
    f.heard.eager.reset();
    CHECK(f.accepted() > told);
    CHECK(f.begin(told).error().code == Errc::conflict);  // so what waits for it is let go
}
