#include "db/read/conversations.hpp"

#include "db/engine/migrate.hpp"
#include "db/read/queries.hpp"
#include "tests/db/store_fixture.hpp"

#include <sqlite3.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

const std::string anna = "+33612345678";  // as StoreFixture has it
const std::string bert = "+33600000002";

InboxId said_by(StoreFixture& f, const std::string& number, const std::string& text) {
    InboundSegment segment = f.inbound(text);
    segment.from = number;
    return f.keep(segment)->inbox;
}

ports::FoundConversations listed(StoreFixture& f, const ports::ConversationPage& page = {}) {
    return f.look([&](ports::StoreReader& r) { return r.conversations(page); }).value();
}

std::vector<std::int64_t> said(StoreFixture& f, const std::string& number,
                               const ports::ConversationPage& page = {}) {
    std::vector<std::int64_t> ids;
    const auto rows = f.look([&](ports::StoreReader& r) { return r.said(number, page); });
    for (const ports::Said& one : rows.value()) {
        ids.push_back(ports::id_of_said(one));
    }
    return ids;
}

}  // namespace

TEST_CASE(
    "conversations: a number is in one from its first message on, with what it was sent before") {
    StoreFixture f;
    const MessageId before = f.accepted(f.message(anna));
    (void)f.accepted(f.message(bert));
    CHECK(listed(f).rows.empty());
    const InboxId answer = said_by(f, anna, "yes");
    for (const bool again : {false, true}) {
        CAPTURE(again);
        const auto all = listed(f);
        REQUIRE(all.rows.size() == 1);
        CHECK(all.rows[0].number == anna);
        CHECK(all.rows[0].sent == 1);
        CHECK(all.rows[0].received == 1);
        CHECK(ports::id_of_said(all.rows[0].last) == answer.value);
        CHECK(std::get<ports::InboxRow>(all.rows[0].last).content.text == "yes");
        CHECK(all.next == 0);
        CHECK(said(f, anna) == std::vector{answer.value, before.value});
        f.reopen();
    }
    CHECK(said(f, bert).size() == 1);  // also of a number that never wrote
}

TEST_CASE("conversations: the newest first, sent or received, page by page") {
    StoreFixture f;
    (void)said_by(f, anna, "one");
    const InboxId of_bert = said_by(f, bert, "two");
    CHECK(listed(f).rows[0].number == bert);
    const MessageId reply = f.accepted(f.message(anna, "hello"));
    const auto all = listed(f);
    REQUIRE(all.rows.size() == 2);
    CHECK(all.rows[0].number == anna);
    CHECK(std::get<ports::MessageRow>(all.rows[0].last).body.text == "hello");
    CHECK(all.rows[0].sent == 1);
    const auto first = listed(f, {.limit = 1});
    CHECK(first.rows.size() == 1);
    CHECK(first.next == reply.value);
    const auto second = listed(f, {.before = first.next, .limit = 1});
    REQUIRE(second.rows.size() == 1);
    CHECK(ports::id_of_said(second.rows[0].last) == of_bert.value);
    CHECK(listed(f, {.before = second.next, .limit = 1}).rows.empty());
}

TEST_CASE("conversations: one list of what was sent and received, by pages without gap or repeat") {
    StoreFixture f;
    std::vector<std::int64_t> all;
    for (int i = 0; i < 7; ++i) {
        all.push_back(i % 3 == 0 ? said_by(f, anna, "in").value
                                 : f.accepted(f.message(anna, "out")).value);
        (void)said_by(f, bert, "other");
    }
    std::ranges::reverse(all);
    CHECK(said(f, anna) == all);
    std::vector<std::int64_t> read;
    for (std::int64_t before = 0; read.size() < all.size();) {
        const auto page = said(f, anna, {.before = before, .limit = 2});
        REQUIRE_FALSE(page.empty());
        read.insert(read.end(), page.begin(), page.end());
        before = read.back();
    }
    CHECK(read == all);
}

TEST_CASE("conversations: one ends with the last message of its number in the inbox") {
    StoreFixture f;
    (void)said_by(f, anna, "one");
    f.clock.advance(1h);
    const WallTime between = f.clock.wall();
    const InboxId second = said_by(f, anna, "two");
    (void)f.sent(1, f.message(anna));
    (void)f.ask(ports::RemoveOld{between, between, 100});
    REQUIRE(listed(f).rows.size() == 1);
    SUBCASE("the newest message is removed before: the one that is left is the last") {
        f.clock.advance(1h);
        (void)f.ask(ports::RemoveOld{f.clock.wall(), between, 100});
        REQUIRE(listed(f).rows.size() == 1);
        CHECK(ports::id_of_said(listed(f).rows[0].last) == second.value);
        CHECK(listed(f).rows[0].sent == 1);
    }
    SUBCASE("removed for its age") {
        f.clock.advance(1h);
        (void)f.ask(ports::RemoveOld{between, f.clock.wall(), 100});
        CHECK(listed(f).rows.empty());
    }
    SUBCASE("anonymised") {
        f.clock.advance(1h);
        (void)f.ask(ports::Anonymise{{}, f.clock.wall(), 100});
        CHECK(listed(f).rows.empty());
    }
}

TEST_CASE("conversations: an empty one that an older program left is removed in time") {
    StoreFixture f;
    (void)said_by(f, anna, "one");
    (void)said_by(f, bert, "two");
    f.store.reset();
    auto file = db::Connection::open(f.folder.file("smsrack.db"), {});
    REQUIRE(file);
    (*file)->run("DELETE FROM inbox WHERE from_addr = ?", bert);
    file->reset();
    f.open();
    CHECK(listed(f).rows.size() == 1);
    CHECK(listed(f, {.limit = 1}).rows.empty());
    CHECK(listed(f, {.limit = 1}).next != 0);
    (void)f.ask(ports::RemoveOld{{}, {}, 100});
    CHECK(listed(f, {.limit = 1}).rows.size() == 1);
}

TEST_CASE("conversations: a database of the version before begins with those that its inbox has") {
    StoreFixture f({}, StoreFixture::Begin::closed);
    {
        auto old = db::Connection::open(f.folder.file("smsrack.db"), {.may_create = true});
        REQUIRE(old);
        REQUIRE(db::migrate(**old, db::migrations().first(16)));
        (*old)->script(
            "INSERT INTO inbox (id, from_addr, to_addr, modem, sim, content, scts_text, "
            "received_at, segments, incomplete, undecodable, reply_to) VALUES "
            "(3, '+33612345678', '', 'm0', 1, 'yes', '', 0, 1, 0, 0, 0), "
            "(5, '+33*', '', 'm0', 1, '', '', 0, 1, 0, 0, 0), "
            "(6, '+33600000002', '', 'm0', 1, 'no', '', 0, 1, 0, 0, 0); "
            "INSERT INTO messages (id, state, level, grp, segments, flags, waiting, to_addr, body, "
            "fingerprint, created_at, expires_at, updated_at, client) VALUES "
            "(2, 9, 3, 1, 1, 0, 0, '+33612345678', 'a', 0, 0, 9, 0, 0), "
            "(7, 9, 3, 1, 1, 0, 0, '+33612345678', 'b', 0, 0, 9, 0, 0), "
            "(8, 9, 3, 1, 1, 0, 0, '+33600000002', 'self', 0, 0, 9, 0, -1), "
            "(9, 9, 3, 1, 1, 0, 0, '+33600000003', 'c', 0, 0, 9, 0, 0); "
            "INSERT INTO groups VALUES (1, 'default'); "
            "UPDATE head SET sequence = 9, cancelled = 4");
    }
    f.open();
    const auto all = listed(f);
    REQUIRE(all.rows.size() == 2);
    CHECK(all.rows[0].number == anna);
    CHECK(ports::id_of_said(all.rows[0].last) == 7);
    CHECK(all.rows[0].sent == 2);
    CHECK(all.rows[0].received == 1);
    CHECK(all.rows[1].number == bert);
    CHECK(all.rows[1].sent == 0);
    CHECK(said(f, anna) == std::vector<std::int64_t>{7, 3, 2});
}

TEST_CASE("conversations: no page walks through a table, as SQLite's own plan says") {
    StoreFixture f;
    (void)said_by(f, anna, "one");
    (void)f.accepted(f.message(anna));
    f.store.reset();
    auto file = db::Connection::open(f.folder.file("smsrack.db"), {.read_only = true});
    REQUIRE(file);
    {
        db::Queries queries(**file);
        REQUIRE(queries.conversations({.before = 99, .limit = 10})->rows.size() == 1);
        REQUIRE(queries.said(anna, {.before = 99, .limit = 10})->size() == 2);
    }
    std::vector<std::string> statements;
    for (sqlite3_stmt* one = sqlite3_next_stmt((*file)->handle(), nullptr); one != nullptr;
         one = sqlite3_next_stmt((*file)->handle(), one)) {
        statements.emplace_back(sqlite3_sql(one));
    }
    CHECK(statements.size() > 5);
    for (const std::string& sql : statements) {
        sqlite3_stmt* plan = nullptr;
        REQUIRE(sqlite3_prepare_v2((*file)->handle(), ("EXPLAIN QUERY PLAN " + sql).c_str(), -1,
                                   &plan, nullptr) == SQLITE_OK);
        while (sqlite3_step(plan) == SQLITE_ROW) {
            const std::string step(
                static_cast<const char*>(static_cast<const void*>(sqlite3_column_text(plan, 3))));
            CAPTURE(sql);
            CAPTURE(step);
            for (const char* table : {"messages", "inbox", "conversations", "hash_entries"}) {
                CHECK_FALSE(step.starts_with("SCAN " + std::string(table)));
            }
            CHECK_FALSE(step.contains("TEMP B-TREE"));
        }
        sqlite3_finalize(plan);
    }
}
