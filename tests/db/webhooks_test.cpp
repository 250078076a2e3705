#include "db/write/webhooks.hpp"

#include "tests/db/webhook_rows_fixture.hpp"

#include <sqlite3.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::DeliveryState;
using Hooks = test::WebhookRowsFixture;

namespace {

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("webhook rows: a new webhook starts behind the newest event, or where it wants to") {
    Hooks f;
    const MessageId first = f.accepted();
    f.clock.advance(1h);
    const WallTime between = f.clock.wall();
    f.clock.advance(1h);
    const MessageId second = f.accepted();
    CHECK(f.keep().cursor.value == second.value);
    CHECK(f.keep(between, "early").cursor.value >= first.value);
    CHECK(f.keep(between, "early").cursor.value < second.value);
    CHECK(f.keep(WallTime{}, "all").cursor.value < first.value);
    CHECK(f.keep(f.clock.wall() + 1h, "later").cursor.value == second.value);
    CHECK(f.keep(WallTime{}).cursor.value == second.value);  // it is not new any more
}

TEST_CASE("webhook rows: cursor and state come back after a restart, with what waits") {
    Hooks f;
    const auto row = f.keep();
    f.stage(row.id, {f.event(101, 7, "{\"a\":1}")}, 105);
    REQUIRE(f.ask(ports::KeepWebhookLife{row.id,
                                         {.state = ports::WebhookState::off,
                                          .failures = 6,
                                          .changed_at = f.clock.wall(),
                                          .reason = "HTTP 410"},
                                         std::nullopt}));
    f.store->post(ports::KeepEvent{{.at = f.clock.wall(), .type = EventType::service_notice}});
    f.run();
    f.reopen();
    const auto again = f.keep();
    CHECK(again.id == row.id);
    CHECK(again.life.state == ports::WebhookState::off);
    CHECK(again.life.failures == 6);
    CHECK(again.life.reason == "HTTP 410");
    const auto due = f.due(row.id);
    REQUIRE(due.due.size() == 1);
    CHECK(due.due[0].what.body == "{\"a\":1}");
    CHECK(due.due[0].attempts == 0);
    CHECK_FALSE(due.due[0].first_at);
}

TEST_CASE("webhook rows: of the waiting events of a thing only the first may be sent") {
    Hooks f;
    const auto id = f.keep().id;
    f.stage(id, {f.event(1, 7), f.event(2, 7), f.event(3, 8), f.event(4, 0), f.event(5, 0)}, 5);
    CHECK(f.due_events(id) == Numbers{1, 3, 4, 5});
    f.end(id, 1, 1, DeliveryState::waiting, 5s);
    CHECK(f.due_events(id) == Numbers{3, 4, 5});  // the second one waits for the first
    f.stage(id, {f.event(6, 7)}, 6);
    CHECK(f.due_events(id) == Numbers{3, 4, 5});
    f.clock.advance(5s);
    CHECK(f.due_events(id) == Numbers{3, 4, 5, 1});
    f.end(id, 1, 2, DeliveryState::delivered);
    CHECK(f.due_events(id) == Numbers{3, 4, 5, 2});
    f.end(id, 2, 1, DeliveryState::dead);
    CHECK(f.due_events(id) == Numbers{3, 4, 5, 6});
}

TEST_CASE("webhook rows: an attempt counts once, and only while the event waits") {
    Hooks f;
    const auto id = f.keep().id;
    f.stage(id, {f.event(1, 7)}, 1);
    CHECK(f.end(id, 1, 2, DeliveryState::delivered).empty());  // of no attempt so far
    CHECK(f.end(id, 1, 1, DeliveryState::waiting, 1s).size() == 1);
    CHECK(f.end(id, 1, 1, DeliveryState::delivered).empty());
    CHECK(f.end(id, 9, 1, DeliveryState::delivered).empty());
    CHECK(f.end(id, 1, 2, DeliveryState::delivered).size() == 1);
    CHECK(f.end(id, 1, 2, DeliveryState::delivered).empty());
    CHECK(f.end(id, 1, 3, DeliveryState::delivered).empty());
    const auto rows = f.rows({.webhook = id});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].state == DeliveryState::delivered);
    REQUIRE(rows[0].made.size() == 2);
    CHECK(rows[0].made[0].status == 500);
    CHECK(rows[0].made[1].status == 204);
    CHECK(rows[0].made[1].took == 12ms);
}

TEST_CASE("webhook rows: the longest waiting is due first, and the next time is known") {
    Hooks f;
    const auto id = f.keep().id;
    f.stage(id, {f.event(1, 1), f.event(2, 2), f.event(3, 3)}, 3);
    f.end(id, 1, 1, DeliveryState::waiting, 30s);
    f.end(id, 2, 1, DeliveryState::waiting, 5s);
    CHECK(f.due(id).next == f.clock.wall() + 5s);
    f.clock.advance(30s);
    CHECK(f.due_events(id) == Numbers{3, 2, 1});
    CHECK(f.due(id, 2).due.size() == 2);
    CHECK_FALSE(f.due(id).next);
    const auto first = f.ask(ports::ReadDueDeliveries{
        .webhook = id, .at = f.clock.wall(), .limit = 100, .bytes_max = 1});  // a bound of octets
    CHECK(first->due.size() == 1);
    const auto retries = f.ask(ports::ReadDueDeliveries{.webhook = id,
                                                        .at = f.clock.wall(),
                                                        .retries_first = true,
                                                        .limit = 2,
                                                        .bytes_max = 1'000'000});
    REQUIRE(retries->due.size() == 2);
    CHECK(retries->due[0].what.event.value == 2);
    CHECK(retries->due[1].what.event.value == 1);
    f.end(id, 3, 1, DeliveryState::waiting, 1h);
    CHECK(f.due_events(id) == Numbers{2, 1});
    CHECK(f.due(id).due.back().first_at);
    REQUIRE(f.ask(ports::KeepWebhookLife{.webhook = id, .hurry = f.clock.wall()}));
    CHECK(f.due_events(id) == Numbers{2, 1, 3});
    const auto known = f.ask(ports::ReadDeliveries{id, {EventSeq{2}, EventSeq{77}}});
    REQUIRE(known->size() == 1);
    CHECK(known->front().attempts == 1);
    CHECK(known->front().tries == 0);  // its time to live begins again
    CHECK_FALSE(known->front().first_at);
}

TEST_CASE(
    "webhook rows: a dead event is reported once, and a report that is dead makes no further") {
    Hooks f;
    const auto id = f.keep().id;
    auto about_dead = f.event(2, 0);
    about_dead.type = "webhook.dead";
    f.stage(id, {f.event(1, 7), about_dead}, 2);
    f.end(id, 1, 1, DeliveryState::dead);
    f.end(id, 2, 1, DeliveryState::dead);
    std::vector<std::string> told;
    const auto events = f.look([](ports::StoreReader& r) { return r.events(EventSeq{}, 100); });
    for (const Event& event : *events) {
        if (event.type == EventType::webhook_dead) {
            told.push_back(event_name(event) + " " + event.detail);
        }
    }
    CHECK(told == std::vector<std::string>{"webhook.dead crm 1"});
}

TEST_CASE("webhook rows: a replay sends again what ended, in order, and never moves the cursor") {
    Hooks f;
    for (int i = 0; i < 5; ++i) {
        (void)f.accepted();  // the log has events up to here
    }
    const auto id = f.keep().id;
    f.stage(id, {f.event(1, 7), f.event(2, 7), f.event(3, 8)}, 3);
    f.end(id, 1, 1, DeliveryState::delivered);
    f.end(id, 2, 1, DeliveryState::waiting, 30s);
    f.end(id, 3, 1, DeliveryState::dead);
    // One that ended, one that was never staged, one that waits, one beyond the cursor.
    const auto count = f.ask(ports::ReplayDeliveries{
        id, {f.event(1, 7, "{\"new\":1}"), f.event(2, 7), f.event(99, 1)}, f.clock.wall()});
    CHECK(*count == 1);
    f.clock.advance(1min);
    CHECK(f.due_events(id) == Numbers{1});  // the second one waits for the first again
    CHECK(f.due(id).due[0].what.body == "{\"new\":1}");
    CHECK(f.due(id).due[0].attempts == 1);
    CHECK(f.due(id).due[0].tries == 0);
    CHECK(f.keep().cursor.value == 5);
    CHECK(*f.ask(ports::ReviveDeliveries{id, 10, f.clock.wall()}) == 1);
    CHECK(f.due_events(id) == Numbers{1, 3});
    CHECK(f.end(id, 1, 2, DeliveryState::delivered).size() == 1);
    CHECK(f.due_events(id) == Numbers{2, 3});
}

TEST_CASE("webhook rows: filters of the list, page by page") {
    Hooks f;
    const auto id = f.keep().id;
    f.stage(id, {f.event(1, 7), f.event(2, 7)}, 2);
    f.clock.advance(1h);
    const WallTime later = f.clock.wall();
    f.stage(id, {f.event(3, 8), f.event(4, 0)}, 4);
    f.end(id, 1, 1, DeliveryState::delivered);
    f.end(id, 3, 1, DeliveryState::dead);
    const auto events = [&](ports::DeliveryFilter filter) {
        filter.webhook = id;
        Numbers found;
        const auto rows = f.rows(filter);
        for (const auto& row : rows) {
            found.push_back(row.event.value);
        }
        return found;
    };
    CHECK(events({}) == Numbers{4, 3, 2, 1});
    CHECK(events({.limit = 2}) == Numbers{4, 3});
    CHECK(events({.before = EventSeq{3}, .limit = 2}) == Numbers{2, 1});
    CHECK(events({.state = DeliveryState::delivered}) == Numbers{1});
    CHECK(events({.state = DeliveryState::dead}) == Numbers{3});
    CHECK(events({.state = DeliveryState::waiting}) == Numbers{4, 2});
    CHECK(events({.event = EventSeq{2}}) == Numbers{2});
    CHECK(events({.state = DeliveryState::dead, .event = EventSeq{2}}).empty());
    CHECK(events({.thing = ports::ThingId{7}}) == Numbers{2, 1});
    CHECK(events({.state = DeliveryState::delivered, .thing = ports::ThingId{7}, .limit = 1}) ==
          Numbers{1});
    CHECK(events({.since = later}) == Numbers{4, 3});
    const auto counts =
        f.look<ports::WebhookReader>([&](ports::WebhookReader& r) { return r.counts(id, 10); });
    CHECK(counts->waiting == 2);
    CHECK(counts->dead == 1);
    CHECK(counts->oldest == later - 1h);
    CHECK(f.look<ports::WebhookReader>([&](ports::WebhookReader& r) {
               return r.counts(id, 1);
           })->waiting == 1);
}

TEST_CASE(
    "webhook rows: what ended goes after keep_days, and a webhook that no one names after them") {
    Hooks f;
    const auto id = f.keep().id;
    f.stage(id, {f.event(1, 1), f.event(2, 2), f.event(3, 3)}, 3);
    f.end(id, 1, 1, DeliveryState::delivered);
    f.end(id, 2, 1, DeliveryState::dead);
    const auto tidy = [&] {
        const WallTime before = f.clock.wall() - 24h * 365;
        REQUIRE(f.ask(ports::RemoveOld{before, before, 100}));
    };
    f.clock.advance(24h * 29);
    f.keep();
    tidy();
    CHECK(f.rows({.webhook = id}).size() == 3);
    f.clock.advance(24h * 2);
    f.keep();
    tidy();
    REQUIRE(f.rows({.webhook = id}).size() == 1);
    CHECK(f.rows({.webhook = id})[0].event.value == 3);  // it waits
    f.clock.advance(24h * 32);
    tidy();
    CHECK(f.rows({.webhook = id}).size() == 1);  // this process works for it
    f.reopen();
    tidy();
    CHECK(f.rows({.webhook = id}).empty());
    CHECK(f.keep().id != id);
}

TEST_CASE("webhook rows: numbers and texts go out of dead ones with those of the messages") {
    Hooks f;
    const auto id = f.keep().id;
    f.stage(id, {f.event(1, 1, "{\"to\":\"+33612345678\"}"), f.event(2, 2, "{\"to\":1}")}, 2);
    f.end(id, 1, 1, DeliveryState::dead);
    f.clock.advance(24h);
    REQUIRE(f.ask(ports::Anonymise{f.clock.wall(), f.clock.wall(), 10}));
    // It has no body to send any more, and is not sent without one.
    CHECK(*f.ask(ports::ReviveDeliveries{id, 10, f.clock.wall()}) == 0);
    CHECK(f.due(id).due.size() == 1);
    CHECK(f.due(id).due[0].what.body == "{\"to\":1}");
    CHECK(*f.ask(ports::ReplayDeliveries{id, {f.event(1, 1, "{}")}, f.clock.wall()}) == 1);
    CHECK(f.due(id).due.size() == 2);
}

TEST_CASE("webhook rows: what receivers answered goes too, of those that were delivered as well") {
    Hooks f;
    const auto id = f.keep().id;
    f.stage(id, {f.event(1, 1), f.event(2, 2)}, 2);
    const auto end_with = [&](std::int64_t event, DeliveryState state) {
        REQUIRE(f.ask(ports::EndAttempts{.webhook = id,
                                         .name = "crm",
                                         .ends = {{.event = EventSeq{event},
                                                   .attempt = {.attempt = 1,
                                                               .at = f.clock.wall(),
                                                               .status = 200,
                                                               .answer = "kept +33612345678"},
                                                   .state = state}},
                                         .at = f.clock.wall()}));
    };
    end_with(1, DeliveryState::delivered);
    f.clock.advance(24h);
    const WallTime between = f.clock.wall();
    f.clock.advance(1h);
    end_with(2, DeliveryState::delivered);
    REQUIRE(f.ask(ports::Anonymise{between, between, 10}));
    const auto rows = f.rows({.webhook = id});
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].made.at(0).answer == "kept +33612345678");
    CHECK(rows[1].made.at(0).answer.empty());
}

TEST_CASE("webhook rows: a clock that is set moves the pauses of what waits") {
    Hooks f;
    const auto id = f.keep().id;
    f.clock.advance(1s);
    const WallTime wrong = f.clock.wall();
    f.stage(id, {f.event(1, 1)}, 1);
    f.end(id, 1, 1, DeliveryState::waiting, 30s);
    REQUIRE(f.ask(ports::MoveTimes{{.after = wrong - 1s, .until = wrong, .by = 1h}}));
    CHECK(f.due(id).next == wrong + 1h + 30s);
}

TEST_CASE("webhook rows: a clock that was far behind takes no webhook and nothing that was kept") {
    Hooks f;
    const WallTime start = f.clock.wall();
    f.clock.advance(1s);
    const auto id = f.keep().id;
    f.stage(id, {f.event(1, 1), f.event(2, 2)}, 2);
    f.end(id, 1, 1, DeliveryState::dead);
    const auto tidy = [&] {
        REQUIRE(f.ask(ports::RemoveOld{WallTime{}, WallTime{}, 100}));
        CHECK(f.rows({.webhook = id}).size() == 2);
    };
    const WallTime wrong = f.clock.wall();
    f.clock.set_date(wrong + 24h * 40);
    REQUIRE(f.ask(ports::MoveTimes{{.after = start, .until = wrong, .by = 24h * 40}}));
    tidy();
    f.reopen();  // the configuration was not read yet
    tidy();
    CHECK(f.keep().id == id);
}

TEST_CASE("webhook rows: the writing thread never reads all rows of a webhook") {
    const Hooks f;
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open_v2(f.folder.file("smsrack.db").c_str(), &db, SQLITE_OPEN_READONLY,
                            nullptr) == SQLITE_OK);
    for (const auto& [sql, index] :
         {std::pair(db::first_of_thing_sql, "deliveries_things (webhook=? AND thing=?"),
          std::pair(db::hold_others_sql, "deliveries_things (webhook=? AND thing=?"),
          std::pair(db::due_tried_sql, "deliveries_retries (webhook=? AND next_at<?)")}) {
        CAPTURE(sql.text);
        sqlite3_stmt* plan = nullptr;
        const std::string explain = std::string("EXPLAIN QUERY PLAN ") + sql.text;
        REQUIRE(sqlite3_prepare_v2(db, explain.c_str(), -1, &plan, nullptr) == SQLITE_OK);
        REQUIRE(sqlite3_step(plan) == SQLITE_ROW);
        const std::string step = reinterpret_cast<const char*>(sqlite3_column_text(plan, 3));
        CAPTURE(step);
        CHECK(step.starts_with("SEARCH deliveries USING "));
        CHECK(step.contains(std::string("INDEX ") + index));
        CHECK(sqlite3_step(plan) == SQLITE_DONE);  // no sort
        sqlite3_finalize(plan);
    }
    sqlite3_close(db);
}
