// Rows of messages that another box of the fleet accepted.
#include "db/upkeep/check.hpp"
#include "tests/db/fleet_fixture.hpp"

#include <algorithm>

using namespace smsrack;
using namespace std::chrono_literals;
using test::FleetFixture;
using enum MessageState;

namespace {

std::vector<Event> all_events(FleetFixture& f) {
    return f.look([](ports::StoreReader& r) { return r.events({}, 1'000); }).value();
}

std::vector<ports::MessageRow> all_messages(FleetFixture& f) {
    return f.look([](ports::StoreReader& r) { return r.messages({}); }).value();
}

}  // namespace

TEST_CASE("guests: a message of any other box is held, firm, sent and settled like an own one") {
    for (const std::int32_t box : {1, 6, 8, box_number_max}) {
        CAPTURE(box);
        FleetFixture f;
        const MessageId id = FleetFixture::guest_id(box, 99);
        CHECK(f.take_in(id) == FleetStage::held);
        CHECK(f.take_in(id, Epoch{4}) == FleetStage::held);  // again: one row
        CHECK(f.count(elsewhere) == 1);
        CHECK(f.place(id).epoch == Epoch{4});
        CHECK(f.place(id).box == BoxNumber{box});
        CHECK(f.kept_here().empty());
        CHECK(f.at(FleetStage::held) == std::vector{id});
        f.reopen();
        REQUIRE(f.make_firm(id));
        CHECK(f.take_in(id) == FleetStage::firm);
        const OutMessage loaded = f.queued().at(0);
        CHECK(number_of_box(loaded.id) == BoxNumber{7});  // this box's number of it
        const auto attempt = f.begin(loaded.id);
        REQUIRE(attempt);
        REQUIRE(f.end(f.taken(loaded.id, *attempt, 0, 1)));
        CHECK(f.at(FleetStage::ended) == std::vector{id});
        CHECK(f.place(id).state == sent);
        REQUIRE(f.ask(ports::NoteSettled{{id}}));
        CHECK(f.take_in(id) == FleetStage::settled);
        CHECK(db::check(f.folder.file("smsrack.db"))->problems.empty());
    }
}

TEST_CASE("guests: clients find it by the fleet's id, and all that is shown of it has that id") {
    FleetFixture f;
    const MessageId id = FleetFixture::guest_id(box_number_max, 4);
    (void)f.take_in(id);
    const auto found = f.detail(id);
    CHECK(found.message.origin == id);
    CHECK(found.message.state == elsewhere);
    CHECK(found.message.client.empty());
    CHECK(found.message.ref.empty());
    CHECK(found.history.size() == 1);
    CHECK(found.history.front().origin == id);
    CHECK(f.look([&](ports::StoreReader& r) { return r.message_row(id); })->origin == id);
    CHECK(f.heard.events.back().origin == id);
    REQUIRE(f.make_firm(id));
    CHECK(f.heard.events.back().origin == id);
    CHECK(all_events(f).back().origin == id);
    CHECK(all_messages(f).front().origin == id);
    REQUIRE(f.ask(ports::CancelMessage{.message = id, .at = f.clock.wall()}) == cancelled);
    CHECK(f.stage(id) == FleetStage::ended);
    const MessageId own = f.shared();
    CHECK(f.detail(own).message.origin == MessageId{});
    CHECK(f.heard.events.back().origin == MessageId{});
}

TEST_CASE("guests: rows and events stay in order of time, whatever number the other box has") {
    FleetFixture f;
    std::vector<MessageId> rows;
    for (const std::int32_t box : {1, 900, 7, 2, box_number_max, 7}) {
        if (box == 7) {
            rows.push_back(f.shared());
        } else {
            const MessageId id = FleetFixture::guest_id(box, 5);
            (void)f.take_in(id);
            rows.push_back(f.place(id).row);
        }
        f.clock.advance(1h);
    }
    CHECK(std::ranges::is_sorted(rows));
    const auto events = all_events(f);
    REQUIRE(events.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(events[i].seq.value == rows[i].value);
    }
    const auto since = f.look(
        [&](ports::StoreReader& r) { return r.messages({.since = f.clock.wall() - 150min}); });
    REQUIRE(since->size() == 2);
    CHECK((*since)[0].id == rows[5]);
    CHECK((*since)[1].origin == FleetFixture::guest_id(box_number_max, 5));
    const auto page = f.look([&](ports::StoreReader& r) {
        return r.messages({.to = "+33612345678", .before = rows[3], .limit = 2});
    });
    REQUIRE(page->size() == 2);
    CHECK((*page)[0].id == rows[2]);
    CHECK((*page)[1].id == rows[1]);
    CHECK(f.look([](ports::StoreReader& r) { return r.last_event(); }).value() ==
          events.back().seq);
}

TEST_CASE("guests: this box gives back what it does not have any more, and forgets it") {
    FleetFixture f;
    const MessageId id = FleetFixture::guest_id(2);
    (void)f.take_in(id);
    CHECK(f.ask(ports::LetGo{{id}}) == 0);  // it is held
    REQUIRE(f.make_firm(id));
    REQUIRE(f.lend(id));
    REQUIRE(f.note(id, FleetStage::away));
    const MessageId own = f.shared();
    REQUIRE(f.note(own, FleetStage::away));
    CHECK(f.ask(ports::LetGo{{id, own, MessageId{77}}}) == 1);
    CHECK(f.count(elsewhere) == 1);
    CHECK(f.at(FleetStage::away) == std::vector{own});
    CHECK_FALSE(f.look([&](ports::StoreReader& r) { return r.message(id); }));
    CHECK(all_events(f).size() == 1);
    CHECK(f.take_in(id) == FleetStage::held);  // and may get it again
    CHECK(db::check(f.folder.file("smsrack.db"))->problems.empty());
}

TEST_CASE("guests: its ref, text and client answer for nothing here") {
    FleetFixture f;
    NewMessage message = f.shared_message();
    message.ref = "r1";
    message.client = "billing";
    message.text_hash = 5;
    message.check_duplicate = true;
    (void)f.take_in(FleetFixture::guest_id(2), message);
    const auto own = f.accept(message);
    REQUIRE(own);
    CHECK_FALSE(own->repeated);
    const auto client = f.look([](ports::StoreReader& r) { return r.client("billing"); });
    CHECK(client->waiting == 1);
    CHECK(client->buffered == 1);
}

TEST_CASE("guests: a message of this box that comes back from the engine is its own row again") {
    FleetFixture f;
    const MessageId id = f.shared();
    REQUIRE(f.note(id, FleetStage::away));
    CHECK(f.take_in(id) == FleetStage::held);
    CHECK(f.count(elsewhere) == 1);
    CHECK(f.place(id).row == id);
    CHECK(f.detail(id).message.origin == MessageId{});
}
