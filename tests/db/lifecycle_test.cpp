#include "db/upkeep/lifecycle.hpp"

#include "db/read/out_message.hpp"
#include "db/write/last_answers.hpp"
#include "tests/db/store_fixture.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <iterator>

using namespace smsrack;
using test::StoreFixture;

namespace {

using States = std::vector<MessageState>;
using enum MessageState;

}  // namespace

TEST_CASE("store: a scheduled message is queued when its time has come") {
    StoreFixture f;
    auto message = f.message();
    message.not_before = f.clock.wall() + std::chrono::minutes(1);
    const auto answer = f.accept(message);
    REQUIRE(answer);
    CHECK(answer->state == scheduled);
    CHECK(f.take_due().empty());
    CHECK(f.state(answer->id) == scheduled);
    f.clock.advance(std::chrono::minutes(1));
    CHECK(f.take_due().empty());  // it waits in its level like others
    CHECK(f.history(answer->id) == States{scheduled, queued});
    CHECK(f.begin(answer->id));
}

TEST_CASE(
    "store: a message that was scheduled queues behind those that were queued before its time") {
    StoreFixture f;
    auto later = f.message();
    later.not_before = f.clock.wall() + std::chrono::minutes(1);
    const MessageId scheduled_first = f.accepted(later);
    const MessageId before = f.accepted();
    f.clock.advance(std::chrono::minutes(1));
    f.take_due();
    const MessageId after = f.accepted();
    const GroupId group = f.store->group_id("default").value();
    const auto queue_from = [&](EventSeq place) {
        const auto page =
            f.look([&](ports::StoreReader& r) { return r.queued(group, 3, place, 10); });
        REQUIRE(page);
        std::vector<MessageId> ids;
        std::ranges::transform(*page, std::back_inserter(ids), &OutMessage::id);
        return ids;
    };
    CHECK(queue_from({}) == std::vector{before, scheduled_first, after});
    const auto all = f.look([&](ports::StoreReader& r) { return r.queued(group, 3, {}, 10); });
    CHECK(queue_from(all->at(0).queued_by) == std::vector{scheduled_first, after});
    CHECK(queue_from(all->at(1).queued_by) == std::vector{after});
    CHECK(all->at(0).queued_at == all->at(0).created_at);
    CHECK(all->at(1).queued_at == f.clock.wall());

    REQUIRE(f.end(f.refused(scheduled_first, *f.begin(scheduled_first))));
    f.reopen();
    CHECK(f.look([&](ports::StoreReader& r) {
               return r.out_message(scheduled_first);
           })->queued_at == all->at(1).queued_at);
}

TEST_CASE("store: what is due between two attempts is given out by group and level") {
    StoreFixture f;
    const GroupId group = f.store->group_id("default").value();
    std::vector<MessageId> low;
    for (int i = 0; i < 3; ++i) {
        auto message = f.message();
        message.level = 1;
        low.push_back(f.accepted(message));
        REQUIRE(f.end(f.refused(low.back(), *f.begin(low.back()))));
        f.clock.advance(std::chrono::milliseconds(1));
    }
    auto message = f.message();
    message.level = 6;
    const MessageId high = f.accepted(message);
    REQUIRE(f.end(f.refused(high, *f.begin(high))));
    f.clock.advance(std::chrono::seconds(5));
    const auto take = [&](Level level, std::size_t limit) {
        const auto taken =
            f.ask(ports::TakeDue{f.clock.wall(), {.retries = {{group, level, limit}}}});
        std::vector<MessageId> ids;
        std::ranges::transform(*taken, std::back_inserter(ids), &OutMessage::id);
        return ids;
    };
    CHECK(take(1, 2) == std::vector{low[0], low[1]});
    CHECK(take(3, 2).empty());
    CHECK(f.look([&](ports::StoreReader& r) { return r.next_due({}); }).value());
    CHECK_FALSE(f.look([&](ports::StoreReader& r) { return r.next_due(f.clock.wall()); }).value());
    CHECK(take(6, 2) == std::vector{high});
    CHECK(take(1, 2) == std::vector{low[2]});
    CHECK(take(1, 2).empty());
}

TEST_CASE("store: cancelling is for what is on no line") {
    StoreFixture f;
    const MessageId id = f.accepted();
    CHECK(f.finish(MessageId{9'999}, MessageEvent::cancel).error().code == Errc::not_found);
    SUBCASE("queued") {
        CHECK(f.ask(ports::CancelMessage{id, f.clock.wall()}) == cancelled);
        CHECK(f.detail(id).history.back().detail == "by_request");
    }
    SUBCASE("in a modem's hand") {
        REQUIRE(f.begin(id));
        CHECK(f.finish(id, MessageEvent::cancel).error().code == Errc::conflict);
        CHECK(f.state(id) == sending);
    }
    SUBCASE("between two attempts") {
        const auto attempt = f.begin(id);
        REQUIRE(f.end(f.refused(id, *attempt)));
        CHECK(f.finish(id, MessageEvent::cancel) == cancelled);
        f.clock.advance(std::chrono::hours(1));
        CHECK(f.take_due().empty());
    }
    SUBCASE("between two segments") {
        const auto attempt = f.begin(id, 0, 2);
        REQUIRE(f.end(f.taken(id, *attempt, 0, 1)));
        CHECK(f.finish(id, MessageEvent::cancel).error().code == Errc::conflict);
    }
    SUBCASE("twice") {
        REQUIRE(f.finish(id, MessageEvent::cancel));
        CHECK(f.finish(id, MessageEvent::cancel).error().code == Errc::conflict);
    }
}

TEST_CASE("store: what is overdue expires, but for what a modem holds") {
    StoreFixture f;
    const MessageId waits = f.accepted();
    const MessageId held = f.accepted();
    const auto attempt = f.begin(held);
    const MessageId done = f.sent(1);
    auto later = f.message();
    later.expires_at += std::chrono::hours(1);
    const MessageId young = f.accepted(later);
    f.clock.advance(std::chrono::hours(24));
    const auto expire = [&] { return f.ask(ports::ExpireOverdue{f.clock.wall(), 10}); };
    CHECK(expire() == 1);
    CHECK(f.state(waits) == expired);
    CHECK(f.detail(waits).message.detail == "ttl");
    CHECK(f.state(held) == sending);
    CHECK(f.state(done) == sent);
    CHECK(f.state(young) == queued);

    REQUIRE(f.end(f.refused(held, *attempt)));
    CHECK(expire() == 1);
    CHECK(f.state(held) == expired);
    CHECK(expire() == 0);
}

TEST_CASE("store: an answer that was noted before the crash decides what follows it") {
    struct Noted {
        const char* so;
        SubmitOutcome outcome;
        MessageState state;
        bool due_at_once;
    };
    for (const Noted& noted : {
             Noted{"the network took it",
                   {.kind = OutcomeKind::accepted, .tp_mr = 7, .has_tp_mr = true},
                   sent,
                   false},
             Noted{"it said no: it is tried again",
                   {.kind = OutcomeKind::refused, .cause = {.kind = CodeKind::cms, .code = 42}},
                   sending,
                   true},
             Noted{"nobody knows, and no port can tell",
                   {.kind = OutcomeKind::unknown},
                   uncertain,
                   false},
         }) {
        CAPTURE(noted.so);
        StoreFixture f;
        const MessageId held = f.accepted();
        const auto open = f.begin(held);
        REQUIRE(open);
        f.store->note_answer(*open, noted.outcome);
        f.reopen();
        CHECK(f.state(held) == noted.state);
        CHECK(f.take_due().size() == (noted.due_at_once ? 1U : 0U));
        const auto attempts = f.detail(held).attempts;
        REQUIRE(attempts.size() == 1);
        CHECK(attempts[0].outcome.kind == noted.outcome.kind);
        CHECK(attempts[0].outcome.tp_mr == noted.outcome.tp_mr);
        for (const auto& doubt : f.uncertain_attempts()) {
            CHECK_FALSE(doubt.recovered);
        }
    }
}

TEST_CASE("store: notes of more answers than it has places keep the newest") {
    StoreFixture f;
    const MessageId held = f.accepted();
    const auto open = f.begin(held);
    REQUIRE(open);
    for (std::size_t i = 0; i < db::LastAnswers::places_max; ++i) {
        f.store->note_answer(AttemptId{1'000'000}, {});
    }
    f.store->note_answer(*open, {.kind = OutcomeKind::accepted});
    f.reopen();
    CHECK(f.state(held) == sent);
}

// The modem's supply may be another one: the prompt that its port has then is that of a later submit.
TEST_CASE(
    "store: after a loss of power a note may be gone, so no port can tell what became of an "
    "attempt") {
    StoreFixture f({.boot = "one"});
    const MessageId held = f.accepted();
    REQUIRE(f.begin(held));
    SUBCASE("only the process ended: the port may tell") {
        f.reopen();
        REQUIRE(f.uncertain_attempts().size() == 1);
        CHECK(f.uncertain_attempts()[0].recovered);
    }
    SUBCASE("the machine did") {
        f.reopen_after("another");
        CHECK(f.state(held) == uncertain);
        REQUIRE(f.uncertain_attempts().size() == 1);
        CHECK_FALSE(f.uncertain_attempts()[0].recovered);
    }
}

TEST_CASE("store: after a crash what was in a modem's hand is uncertain, and the rest continues") {
    StoreFixture f;
    const MessageId waits = f.accepted();
    const MessageId held = f.accepted();
    const auto open = f.begin(held);
    const MessageId retried = f.accepted();
    const auto first = f.begin(retried);
    REQUIRE(f.end(f.refused(retried, *first)));
    f.clock.advance(std::chrono::seconds(5));
    REQUIRE(f.take_due().size() == 1);  // in memory of the process that ends here

    f.reopen();
    CHECK(f.state(waits) == queued);
    CHECK(f.state(held) == uncertain);
    CHECK(f.history(held) == States{queued, sending, uncertain});
    CHECK(f.detail(held).message.due_at == f.clock.wall() + std::chrono::seconds(900));
    const auto listed = f.uncertain_attempts();
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].attempt == *open);
    CHECK(listed[0].recovered);
    const auto due = f.take_due();
    REQUIRE(due.size() == 1);
    CHECK(due[0].id == retried);

    f.reopen();
    REQUIRE(f.uncertain_attempts().size() == 1);
    CHECK_FALSE(f.uncertain_attempts()[0].recovered);  // its line was asked by the process before
}

TEST_CASE("store: what is in doubt is sent again alone, and never after its answer has come") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto first = f.begin(id, 0, 2);
    REQUIRE(f.end(f.taken(id, *first, 0, 6)));
    const auto doubt = f.begin(id, 1, 2);
    REQUIRE(f.end(f.silent(id, *doubt, 1)));
    const auto resend = [&] { return f.ask(ports::ResendSegment{id, *doubt, f.clock.wall()}); };
    SUBCASE("it is in doubt") {
        REQUIRE(resend());
        CHECK(f.state(id) == sending);
        CHECK_FALSE(resend());  // once
        const auto due = f.take_due();
        REQUIRE(due.size() == 1);
        CHECK(due[0].segments == std::vector{sent, sending});
        CHECK(due[0].concat_ref == 77);
        SUBCASE("and its answer comes before the next attempt: that is not begun") {
            REQUIRE(f.end(f.taken(id, *doubt, 1, 7))->applied);
            CHECK(f.state(id) == sent);
            CHECK(f.begin(id, 1, 2).error().code == Errc::conflict);
        }
        SUBCASE("and its answer comes during the next attempt: it is kept with its own") {
            const auto again = f.begin(id, 1, 2);
            REQUIRE(again);
            CHECK_FALSE(f.end(f.taken(id, *doubt, 1, 7))->applied);
            REQUIRE(f.end(f.taken(id, *again, 1, 8))->applied);
            CHECK(f.state(id) == sent);
            const auto attempts = f.detail(id).attempts;
            REQUIRE(attempts.size() == 3);
            CHECK(attempts[1].outcome.kind == OutcomeKind::accepted);
            CHECK(attempts[1].outcome.tp_mr == 7);
        }
    }
    SUBCASE("its answer came first: nothing is sent again") {
        REQUIRE(f.end(f.taken(id, *doubt, 1, 7))->applied);
        CHECK(resend().error().code == Errc::conflict);
        CHECK(f.state(id) == sent);
        CHECK(f.take_due().empty());
    }
}

TEST_CASE("store: a begun message that no line holds is due again, if something is left to send") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto doubt = f.begin(id, 0, 2);
    REQUIRE(f.end(f.silent(id, *doubt)));
    REQUIRE(f.ask(ports::ResendSegment{id, *doubt, f.clock.wall()}));
    REQUIRE(f.take_due().size() == 1);
    REQUIRE(f.end(f.taken(id, *doubt, 0, 7))->applied);  // while a line was being looked for
    (void)f.take_due();
    CHECK(f.take_due().empty());
    f.store->post(ports::PutBack{id, f.clock.wall()});
    f.run();
    const auto due = f.take_due();
    REQUIRE(due.size() == 1);
    CHECK(due[0].segments == std::vector{sent, MessageState::queued});
    const MessageId ended = f.sent(9);
    f.store->post(ports::PutBack{ended, f.clock.wall()});
    f.run();
    CHECK(f.take_due().empty());
}

TEST_CASE("store: the queue and the retries are read by their index, without a scan or a sort") {
    StoreFixture f;
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open_v2(f.folder.file("smsrack.db").c_str(), &db, SQLITE_OPEN_READONLY,
                            nullptr) == SQLITE_OK);
    for (const auto& [sql, index] : {std::pair(db::queued_sql, "messages_queued"),
                                     std::pair(db::due_retries_sql, "messages_retried")}) {
        sqlite3_stmt* plan = nullptr;
        const std::string explain = std::string("EXPLAIN QUERY PLAN ") + sql.text;
        REQUIRE(sqlite3_prepare_v2(db, explain.c_str(), -1, &plan, nullptr) == SQLITE_OK);
        REQUIRE(sqlite3_step(plan) == SQLITE_ROW);
        const std::string step = reinterpret_cast<const char*>(sqlite3_column_text(plan, 3));
        CAPTURE(step);
        CHECK(step.starts_with(std::string("SEARCH messages USING INDEX ") + index +
                               " (grp=? AND level=? AND "));
        while (sqlite3_step(plan) == SQLITE_ROW) {
            const std::string more = reinterpret_cast<const char*>(sqlite3_column_text(plan, 3));
            CAPTURE(more);
            CHECK_FALSE(more.contains("TEMP B-TREE"));  // no sort
            CHECK_FALSE(more.starts_with("SCAN messages"));
        }
        sqlite3_finalize(plan);
    }
    sqlite3_close(db);
}
