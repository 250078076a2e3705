// A message that the boxes of a fleet share: where it is, who may begin it, how it ends.
#include "db/engine/connection.hpp"
#include "db/upkeep/check.hpp"
#include "tests/db/fleet_fixture.hpp"

#include <algorithm>

using namespace smsrack;
using namespace std::chrono_literals;
using test::FleetFixture;
using test::StoreFixture;
using enum MessageState;

namespace {

std::vector<std::string> problems(StoreFixture& f) {
    return db::check(f.folder.file("smsrack.db")).value().problems;
}

std::int64_t rows_of_fleet(StoreFixture& f) {
    return db::Connection::open(f.folder.file("smsrack.db"), {.read_only = true})
        .value()
        ->scalar<std::int64_t>("SELECT count(*) FROM fleet_messages", 0);
}

}  // namespace

TEST_CASE("fleet_rules: a firm message leaves this box only by its own word, or by its end here") {
    using enum FleetStage;
    for (std::size_t from = 0; from < fleet_stage_count; ++from) {
        for (std::size_t on = 0; on < fleet_event_count; ++on) {
            const auto stage = static_cast<FleetStage>(from);
            const auto event = static_cast<FleetEvent>(on);
            CAPTURE(fleet_stage_names.at(from));
            CAPTURE(on);
            const auto to = next(fleet_rules, stage, event);
            if (stage == firm) {
                CHECK(to.has_value() == (event == FleetEvent::lent || event == FleetEvent::ended));
            }
            if (to == firm) {
                CHECK((stage == here || stage == held));
                CHECK(event == FleetEvent::firmed);
            }
            if (stage == ended) {
                CHECK(to.has_value() == (event == FleetEvent::settled));
            }
        }
    }
}

TEST_CASE("fleet: without [cluster] a message is queued at once, and no row says where it is") {
    StoreFixture f;
    NewMessage message = f.message();
    message.shared = true;  // the caller asks for it, and there is no fleet
    const auto answer = f.accept(message);
    CHECK(answer->state == queued);
    REQUIRE(f.begin(answer->id));
    CHECK(rows_of_fleet(f) == 0);
}

TEST_CASE(
    "fleet: what is accepted waits elsewhere until it is firm, in the transaction of its 202") {
    FleetFixture f;
    f.heard.eager = f.store->group_id("default").value();  // a line is free
    const auto answer = f.accept(f.shared_message());
    REQUIRE(answer);
    CHECK(answer->state == elsewhere);
    CHECK(f.heard.announced.empty());
    CHECK(f.heard.work.empty());
    CHECK(f.heard.events.back().state == elsewhere);
    f.reopen();
    CHECK(f.state(answer->id) == elsewhere);
    CHECK(f.stage(answer->id) == FleetStage::here);
    CHECK(f.kept_here() == std::vector{answer->id});
    CHECK(f.queued().empty());
    CHECK(f.begin(answer->id).error().code == Errc::conflict);
    CHECK(f.count(elsewhere) == 1);
    CHECK(f.history(answer->id) == std::vector{elsewhere});
    CHECK(problems(f).empty());
}

TEST_CASE(
    "fleet: it counts for its client, its batch and the capacity, and is no work of this box") {
    FleetFixture f;
    NewMessage message = f.shared_message();
    message.client = "billing";
    message.batch = "spring";
    const MessageId id = f.accepted(message);
    const auto client = [&] {
        return f.look([](ports::StoreReader& r) { return r.client("billing"); })->waiting;
    };
    const auto batch = [&] {
        return f.look([](ports::StoreReader& r) { return r.batch("spring"); })->counts.at(10);
    };
    const GroupId group = f.store->group_id("default").value();
    CHECK(client() == 1);
    CHECK(batch() == 1);
    CHECK(f.store->work(group).at(3) == 0);
    CHECK(f.store->waiting().at(3) == 0);
    REQUIRE(f.note(id, FleetStage::held));
    REQUIRE(f.make_firm(id));
    CHECK(client() == 1);
    CHECK(batch() == 0);
    CHECK(f.store->work(group).at(3) == 1);
    REQUIRE(f.lend(id));
    CHECK(batch() == 1);
    CHECK(f.store->work(group).at(3) == 0);
    REQUIRE(f.told(id, sent));
    CHECK(client() == 0);
    CHECK(batch() == 0);
    CHECK(problems(f).empty());
}

TEST_CASE("fleet: at the capacity a message is refused, wherever the others wait") {
    FleetFixture f;
    for (int i = 0; i < 1'000; ++i) {
        (void)f.shared();
    }
    CHECK(f.accept(f.shared_message()).error().code == Errc::queue_full);
}

TEST_CASE("fleet: held, firm, begun, ended, settled: each is one step, and survives a restart") {
    FleetFixture f;
    const MessageId id = f.shared();
    CHECK_FALSE(f.make_firm(MessageId{id.value + 999}));
    REQUIRE(f.note(id, FleetStage::held, Kept::one_disk));
    CHECK(f.kept_here().empty());
    CHECK(f.place(id).kept == Kept::one_disk);
    CHECK(f.at(FleetStage::held) == std::vector{id});
    CHECK(f.begin(id).error().code == Errc::conflict);
    f.heard.work.clear();
    REQUIRE(f.make_firm(id));
    CHECK(f.heard.work.size() == 1);
    CHECK(f.make_firm(id));  // again: it is so already
    CHECK(f.history(id) == std::vector{elsewhere, queued});
    f.reopen();
    CHECK(f.stage(id) == FleetStage::firm);
    CHECK(f.place(id).epoch == Epoch{3});
    REQUIRE(f.queued().size() == 1);
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    CHECK(f.stage(id) == FleetStage::firm);
    CHECK(f.place(id).is_begun);
    REQUIRE(f.end(f.taken(id, *attempt, 0, 1)));
    CHECK(f.stage(id) == FleetStage::ended);
    f.reopen();
    CHECK(f.at(FleetStage::ended) == std::vector{id});
    CHECK(f.place(id).state == sent);
    REQUIRE(f.ask(ports::NoteSettled{{id}}));
    CHECK(f.stage(id) == FleetStage::settled);
    CHECK(f.at(FleetStage::ended).empty());
    REQUIRE(f.keep(f.report(1))->matched);  // another end: the engine must hear of it
    CHECK(f.stage(id) == FleetStage::ended);
    CHECK(f.place(id).state == delivered);
    CHECK(problems(f).empty());
}

TEST_CASE("fleet: a doubt is no end, and a message that was begun stays firm until it has one") {
    FleetFixture f;
    const MessageId id = f.firm();
    const auto attempt = f.begin(id);
    REQUIRE(f.end(f.silent(id, *attempt)));
    CHECK(f.stage(id) == FleetStage::firm);
    REQUIRE(f.finish(id, MessageEvent::give_up, "outcome_unknown") == failed);
    CHECK(f.stage(id) == FleetStage::ended);
}

TEST_CASE("fleet: every end of a firm message waits for the engine, also where nothing was begun") {
    FleetFixture f;
    const MessageId by_client = f.firm();
    REQUIRE(f.ask(ports::CancelMessage{.message = by_client, .at = f.clock.wall()}) == cancelled);
    CHECK(f.stage(by_client) == FleetStage::ended);
    CHECK_FALSE(f.place(by_client).is_begun);
    const MessageId late = f.firm();
    f.clock.advance(25h);
    REQUIRE(f.ask(ports::ExpireOverdue{f.clock.wall(), 10}) == 1);
    CHECK(f.state(late) == expired);
    CHECK(f.stage(late) == FleetStage::ended);
    CHECK(problems(f).empty());
}

TEST_CASE("fleet: what is lent can't be begun here, also by a line that has loaded it before") {
    FleetFixture f;
    const MessageId id = f.firm();
    const OutMessage loaded = f.queued().at(0);
    REQUIRE(f.lend(id));
    CHECK(f.lend(id));  // again: it is so already
    CHECK(f.state(id) == elsewhere);
    CHECK(f.stage(id) == FleetStage::held);
    const auto begin = [&] {
        return f.ask(ports::BeginAttempt{.message = id,
                                         .modem = "m0",
                                         .sim = f.sim,
                                         .at = f.clock.wall(),
                                         .queued_by = loaded.queued_by});
    };
    CHECK(begin().error().code == Errc::conflict);
    const std::size_t told = f.heard.events.size();
    const auto gave_up = f.ask(
        ports::FinishMessage{id, MessageEvent::too_late, "ttl", f.clock.wall(), loaded.queued_by});
    CHECK(gave_up.error().code == Errc::conflict);
    CHECK(f.heard.events.size() == told);
    REQUIRE(f.note(id, FleetStage::away));
    REQUIRE(f.note(id, FleetStage::held));
    REQUIRE(f.make_firm(id));
    const auto outdated = begin();  // it is loaded again
    CHECK(outdated.error().detail == ports::was_replaced);
    CHECK(f.queued().at(0).queued_by > loaded.queued_by);
    CHECK(f.begin(id));
}

TEST_CASE("fleet: a box that has been alone for too long begins nothing that is shared") {
    FleetFixture f;
    bool may_begin = false;
    f.rules.may_begin_shared = [&may_begin] { return may_begin; };
    const MessageId id = f.firm();
    const std::size_t told = f.heard.events.size();
    CHECK(f.begin(id).error().code == Errc::closed);
    CHECK(f.state(id) == queued);
    CHECK(f.heard.events.size() == told);
    CHECK(f.begin(f.accepted()));  // that one is no other box's business
    may_begin = true;
    CHECK(f.begin(id));
}

TEST_CASE("fleet: what was begun is not lent, whatever came of it") {
    FleetFixture f;
    const MessageId in_flight = f.firm();
    const auto open = f.begin(in_flight);
    CHECK_FALSE(f.lend(in_flight));
    REQUIRE(f.end(f.refused(in_flight, *open)));
    CHECK_FALSE(f.lend(in_flight));
    CHECK(f.state(in_flight) == sending);
    const MessageId here = f.shared();
    CHECK_FALSE(f.lend(here));
    CHECK_FALSE(f.lend(MessageId{here.value + 50}));
    const auto plain = f.accepted();  // accepted without the fleet
    CHECK_FALSE(f.lend(plain));
    CHECK(f.state(plain) == queued);
}

TEST_CASE("fleet: nothing but the fleet's word ends a message that is elsewhere") {
    FleetFixture f;
    NewMessage message = f.shared_message();
    message.batch = "spring";
    const MessageId id = f.accepted(message);
    CHECK(f.ask(ports::CancelMessage{.message = id, .at = f.clock.wall()}).error().code ==
          Errc::conflict);
    CHECK(f.finish(id, MessageEvent::give_up).error().code == Errc::conflict);
    CHECK(f.ask(ports::ReplaceMessage{
                    .message = id, .body = {.to = {}, .text = "other"}, .at = f.clock.wall()})
              .error()
              .code == Errc::conflict);
    f.clock.advance(25h);
    CHECK(f.ask(ports::ExpireOverdue{f.clock.wall(), 10}) == 0);
    const auto overdue = [&](WallTime now) {
        return f
            .look<ports::FleetReader>(
                [now](ports::FleetReader& r) { return r.overdue(now, {}, 10); })
            ->size();
    };
    CHECK(overdue(f.clock.wall()) == 1);
    CHECK(overdue(f.clock.wall() - 2h) == 0);
    REQUIRE(f.ask(ports::CancelBatch{"spring", f.clock.wall()}));
    while (f.ask(ports::CancelSome{f.clock.wall(), 10}) == true) {
    }
    CHECK(f.state(id) == elsewhere);
    REQUIRE(f.note(id, FleetStage::held));
    CHECK_FALSE(f.make_firm(id));  // it comes back to a cancelled batch
    CHECK(f.state(id) == cancelled);
    CHECK(f.detail(id).message.detail == "batch_cancelled");
    CHECK(f.stage(id) == FleetStage::ended);
}

TEST_CASE("fleet: the content of a firm message stays, since the engine has it too") {
    FleetFixture f;
    const MessageId id = f.firm();
    const ports::ReplaceMessage other{
        .message = id, .body = {.to = {}, .text = "other"}, .at = f.clock.wall()};
    CHECK(f.ask(other).error().code == Errc::conflict);
}

TEST_CASE("fleet: a scheduled message stays with its box, and is shared when it is due") {
    FleetFixture f;
    NewMessage message = f.shared_message();
    message.not_before = f.clock.wall() + 1h;
    const MessageId id = f.accepted(message);
    CHECK(f.state(id) == scheduled);
    CHECK(rows_of_fleet(f) == 0);
    REQUIRE(f.ask(ports::ReplaceMessage{
        .message = id, .body = {.to = {}, .text = "other"}, .at = f.clock.wall()}));
    f.clock.advance(1h);
    CHECK(f.take_due().empty());
    CHECK(f.state(id) == elsewhere);
    CHECK(f.stage(id) == FleetStage::here);
    REQUIRE(f.make_firm(id));
    CHECK(f.history(id) == std::vector{scheduled, scheduled, elsewhere, queued});
    CHECK(problems(f).empty());
}

TEST_CASE("fleet: parts that a client has cut, and the rack's own messages, are not shared") {
    FleetFixture f;
    NewMessage part = f.shared_message();
    part.body.part = PartPlace{.total = 2, .number = 1};
    part.part_key = "k";
    part.waits_for_parts = true;
    part.not_before = f.clock.wall() + 60s;
    CHECK(f.state(f.accepted(part)) == scheduled);
    NewMessage own = f.shared_message();
    own.self_sms = true;
    CHECK(f.state(f.accepted(own)) == queued);
    CHECK(rows_of_fleet(f) == 0);
}

TEST_CASE("fleet: a box that is alone may send what it could not put into the engine") {
    FleetFixture f;
    const MessageId id = f.shared();
    REQUIRE(f.make_firm(id));
    CHECK(f.place(id).kept == Kept::here);
    CHECK(f.kept_here() == std::vector{id});
    const auto attempt = f.begin(id);
    REQUIRE(f.end(f.taken(id, *attempt, 0, 1)));
    CHECK(f.stage(id) == FleetStage::ended);
    CHECK(f.kept_here() == std::vector{id});
    CHECK_FALSE(f.note(id, FleetStage::firm));  // the engine has it now; it has ended all the same
    CHECK(f.place(id).kept == Kept::cluster);
    CHECK(f.kept_here().empty());
    CHECK(f.stage(id) == FleetStage::ended);
}

TEST_CASE("fleet: what no engine can have is begun without asking; what one may have is not") {
    FleetFixture f;
    bool may_begin = false;
    f.rules.may_begin_shared = [&may_begin] { return may_begin; };
    f.reopen();
    const MessageId lone = f.shared();
    const MessageId away = f.shared();
    REQUIRE(f.note(away, FleetStage::away, Kept::here));  // put, and not answered
    const auto firm = f.ask(ports::MakeFirm{{lone, away}, Epoch{}, f.clock.wall()});
    CHECK(*firm == std::vector{lone});
    CHECK(f.begin(lone));
    const MessageId put = f.shared();
    REQUIRE(f.ask(ports::MakeFirm{{put}, Epoch{}, f.clock.wall()}));
    // About to be put: another box may decide of it.
    REQUIRE(f.note(put, FleetStage::firm, Kept::here));
    CHECK(f.place(put).epoch == Epoch{3});
    CHECK(f.begin(put).error().code == Errc::closed);
    may_begin = true;
    CHECK(f.begin(put));
}

TEST_CASE("fleet: a trigger's message names its pair, and waits for the engine") {
    FleetFixture f;
    const auto topics = f.ask(ports::NumberTopics{.trigger = "welcome", .names = {"france"}});
    REQUIRE(topics);
    REQUIRE(f.ask(ports::NoteDays{{{.trigger = "welcome", .retain = 90s}}}));
    ports::ClaimPairs claims;
    claims.claims.push_back({.pair = {.topic = topics->front(), .number = 33612345678},
                             .message = f.shared_message(),
                             .trigger = "welcome"});
    const auto claimed = f.ask(std::move(claims));
    REQUIRE(claimed);
    const MessageId id = claimed->front()->row.message;
    const auto pair_of = [&](MessageId of) {
        return f.look<ports::FleetReader>([of](ports::FleetReader& r) { return r.pair(of); })
            .value();
    };
    CHECK(pair_of(id).words == "welcome france +33612345678");
    CHECK(pair_of(id).retain == 90s);
    CHECK(pair_of(f.shared()).words.empty());
    const auto lone =
        f.look<ports::FleetReader>([](ports::FleetReader& r) { return r.lone({}, 0, 6); });
    CHECK(lone->rows.size() == 1);  // the other one
    REQUIRE(f.told(id, MessageState::cancelled, "seen"));
    const auto rows = f.look<ports::TriggerReader>([&](ports::TriggerReader& r) {
        return r.find(std::vector<ports::Pair>{{topics->front(), 33612345678}});
    });
    REQUIRE(rows->front());
    CHECK(rows->front()->state == ports::PairState::sent);
    CHECK(problems(f).empty());
}

TEST_CASE("fleet: of what no engine can have, the highest levels of the wanted come first") {
    FleetFixture f;
    const auto of_level = [&](Level level) {
        NewMessage m = f.shared_message();
        m.level = level;
        return f.accepted(m);
    };
    const MessageId low = of_level(1);
    const MessageId middle = of_level(3);
    const MessageId high = of_level(6);
    const MessageId put = of_level(6);
    REQUIRE(f.note(put, FleetStage::away, Kept::here));
    const auto lone = [&](MessageId after, Level lowest, Level highest) {
        std::vector<MessageId> ids;
        const auto page = f.look<ports::FleetReader>(
            [=](ports::FleetReader& r) { return r.lone(after, lowest, highest); });
        for (const ports::LoneRow& row : page->rows) {
            CHECK(row.group == "default");
            ids.push_back(row.id);
        }
        return ids;
    };
    CHECK(lone({}, 0, 6) == std::vector{high, middle, low});
    CHECK(lone(low, 0, 6) == std::vector{high, middle});
    CHECK(lone({}, 2, 5) == std::vector{middle});
    CHECK(lone(high, 0, 6).empty());
}

TEST_CASE(
    "fleet: a client that was answered `here` gets an event when the engine has its message") {
    FleetFixture f;
    const MessageId told = f.shared();
    f.clock.advance(5s);
    const MessageId fresh = f.shared();
    const auto kept = [&](MessageId id, Kept how) {
        REQUIRE(f.ask(ports::NoteShared{.messages = {id},
                                        .stage = FleetStage::held,
                                        .kept = how,
                                        .epoch = Epoch{3},
                                        .at = f.clock.wall(),
                                        .told_before = f.clock.wall() - 2s}));
    };
    f.heard.events.clear();
    kept(fresh, Kept::cluster);
    CHECK(f.heard.events.empty());  // its client was answered so
    kept(told, Kept::one_disk);
    REQUIRE(f.heard.events.size() == 1);
    CHECK(f.heard.events[0].type == EventType::message_kept);
    CHECK(f.heard.events[0].message == told);
    CHECK(f.heard.events[0].detail == "one_disk");
    kept(told, Kept::cluster);
    CHECK(f.heard.events.size() == 1);
    CHECK(f.history(told) == std::vector{elsewhere});
    CHECK(problems(f).empty());
}

TEST_CASE("fleet: a client that was refused may come again with its ref, and is not a duplicate") {
    FleetFixture f;
    NewMessage message = f.shared_message();
    message.ref = "r1";
    message.fingerprint = 5;
    const MessageId id = f.accepted(message);
    const auto refuse = [&](MessageId of, bool only_here) {
        return f.ask(ports::EndElsewhere{.message = of,
                                         .state = MessageState::cancelled,
                                         .detail = "client_limit",
                                         .at = f.clock.wall(),
                                         .only_here = only_here,
                                         .forgets_ref = true});
    };
    REQUIRE(f.note(id, FleetStage::away, Kept::here));
    CHECK(refuse(id, true).error().code == Errc::conflict);  // the engine may have it
    CHECK(f.accept(message)->id == id);
    REQUIRE(refuse(id, false) == MessageState::cancelled);
    message.fingerprint = 6;
    const auto again = f.accept(message);
    REQUIRE(again);
    CHECK(again->id != id);
    CHECK(refuse(again->id, true) == MessageState::cancelled);
    CHECK(problems(f).empty());
}

TEST_CASE("fleet: the engine's word moves no message that is firm or has ended here") {
    FleetFixture f;
    const MessageId id = f.firm();
    CHECK_FALSE(f.note(id, FleetStage::away));
    CHECK(f.state(id) == queued);
    CHECK(f.note(id, FleetStage::firm));
    REQUIRE(f.finish(id, MessageEvent::give_up) == failed);
    CHECK_FALSE(f.note(id, FleetStage::held));
    CHECK(f.stage(id) == FleetStage::ended);
}

TEST_CASE("fleet: pages and counts of the stages") {
    FleetFixture f;
    std::vector<MessageId> ids;
    for (int i = 0; i < 5; ++i) {
        ids.push_back(f.shared());
    }
    REQUIRE(f.note(ids[1], FleetStage::held));
    REQUIRE(f.note(ids[2], FleetStage::away));
    const auto page = f.look<ports::FleetReader>(
        [&](ports::FleetReader& r) { return r.at_stage(FleetStage::here, ids[0], 1); });
    REQUIRE(page->size() == 1);
    CHECK(page->front().id == ids[3]);
    const ports::FleetCounts counts = f.counts_of_fleet();
    CHECK(counts.stages == std::array<std::int64_t, fleet_stage_count>{3, 1, 1, 0, 0, 0});
    CHECK(counts.kept_here == 3);
}

TEST_CASE("fleet: what is put into the engine is what was accepted") {
    FleetFixture f;
    NewMessage message = f.shared_message();
    message.ref = "r1";
    message.fingerprint = 0xFEDCBA9876543210;
    message.text_hash = 11;
    message.level = 5;
    message.group = "night";
    message.batch = "spring";
    message.client = "billing";
    message.note = "order 7";
    message.owner = OwnerId{1001};
    message.sticky = true;
    message.by = SimCard{.iccid = "8933", .imsi = "20801"};
    message.body.report = false;
    message.body.message_class = 1;
    message.body.ports = PortAddress{.dst = 5, .src = 6};
    message.body.pid = 0x41;
    const MessageId id = f.accepted(message);
    const auto read = [id](ports::FleetReader& r) { return r.content(id); };
    const NewMessage kept = f.look<ports::FleetReader>(read).value();
    CHECK(kept.body.to == message.body.to);
    CHECK(kept.body.text == message.body.text);
    CHECK_FALSE(kept.body.report);
    CHECK(kept.body.message_class == 1);
    CHECK(kept.body.ports == message.body.ports);
    CHECK(kept.body.pid == 0x41);
    CHECK(kept.ref == "r1");
    CHECK(kept.fingerprint == message.fingerprint);
    CHECK(kept.level == 5);
    CHECK(kept.group == "night");
    CHECK(kept.batch == "spring");
    CHECK(kept.client == "billing");
    CHECK(kept.note == "order 7");
    CHECK(kept.owner == message.owner);
    CHECK(kept.sticky);
    CHECK(kept.by == message.by);
    CHECK(kept.created_at == message.created_at);
    CHECK(kept.expires_at == message.expires_at);
    CHECK(kept.shared);
}

TEST_CASE(
    "fleet: what is not at its end, or whose end the engine does not know, is not removed for its "
    "age") {
    FleetFixture f;
    const MessageId waits = f.shared();
    const MessageId ended = f.firm();
    const MessageId settled = f.firm();
    for (const MessageId id : {ended, settled}) {
        REQUIRE(f.finish(id, MessageEvent::give_up) == failed);
    }
    REQUIRE(f.ask(ports::NoteSettled{{settled}}));
    f.clock.advance(24h * 100);
    const WallTime before = f.clock.wall() - 24h * 50;
    (void)f.ask(ports::RemoveOld{before, before, 100});
    CHECK(rows_of_fleet(f) == 2);
    CHECK(f.state(waits) == elsewhere);
    CHECK(f.state(ended) == failed);
    CHECK_FALSE(f.look([&](ports::StoreReader& r) { return r.message(settled); }));
    CHECK(problems(f).empty());
}

TEST_CASE("fleet: a correction of the clock moves the times of a message that is elsewhere") {
    FleetFixture f;
    f.clock.advance(1h);
    const MessageId id = f.shared();
    const auto before = f.detail(id).message;
    REQUIRE(f.ask(ports::MoveTimes{
        {.after = before.created_at - 1ms, .until = f.clock.wall() + 1ms, .by = 5h}}));
    f.run();
    CHECK(f.detail(id).message.created_at == before.created_at + 5h);
    CHECK(f.detail(id).message.expires_at == before.expires_at + 5h);
}
