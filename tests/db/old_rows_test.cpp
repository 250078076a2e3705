// Rows that an older version wrote, as the versions after it find them: one of each state and kind.
#include "db/engine/migrate.hpp"
#include "tests/db/store_fixture.hpp"

#include <sqlite3.h>

#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

using namespace smsrack;
using db::Connection;

namespace {

constexpr std::int64_t created = 1'767'225'600'000;  // 2026-01-01
constexpr std::int64_t first_id = 11;                // of the message in state 0; the others follow
constexpr int unknown_pending = 1;

// Those that version 1 had: `elsewhere` came with version 28.
constexpr std::size_t first_state_count = 10;

std::int64_t id_of(MessageState state) {
    return first_id + static_cast<std::int64_t>(state);
}

std::unique_ptr<Connection> open_database(const std::filesystem::path& path) {
    auto opened = Connection::open(path, {.may_create = true});
    REQUIRE(opened);
    return *std::move(opened);
}

/// What the attempt of a message in this state ended with.
OutcomeKind outcome_of(MessageState state) {
    switch (state) {
        case MessageState::sending:
        case MessageState::failed:
            return OutcomeKind::refused;
        case MessageState::uncertain:
            return OutcomeKind::unknown;
        default:
            return OutcomeKind::accepted;
    }
}

bool was_tried(MessageState state) {
    return state == MessageState::sending || state == MessageState::uncertain ||
           state == MessageState::sent || state == MessageState::delivered ||
           state == MessageState::undelivered || state == MessageState::failed;
}

void write_message(Connection& db, MessageState state) {
    const auto id = id_of(state);
    const bool waits = state <= MessageState::sending;
    const bool due = state == MessageState::scheduled || state == MessageState::sending ||
                     state == MessageState::uncertain;
    db.script(fmt::format(
        "INSERT INTO messages (id, state, level, grp, segments, flags, waiting, to_addr, body, "
        "ref, "
        "fingerprint, created_at, expires_at, updated_at, due_at, attempts, failures, sim, "
        "cause_kind, "
        "cause_code, detail, modem, last_event, last_attempt) VALUES ({0}, {1}, 3, 1, 1, {2}, {3}, "
        "'+336123456{0}', 'text {0}', 'ref {0}', 5, {4}, {5}, {4} + 60000, {6}, {7}, 0, {7}, {8}, "
        "{9}, "
        "{10}, 'm0', {11}, {12})",
        id, static_cast<int>(state), state == MessageState::scheduled ? 4 + 1 : 1, waits ? 1 : 0,
        created, created + 86'400'000, due ? std::to_string(created + 3'600'000) : "NULL",
        was_tried(state) ? 1 : 0, state == MessageState::failed ? 1 : 0,
        state == MessageState::failed ? 42 : 0, state == MessageState::expired ? "'ttl'" : "NULL",
        state <= MessageState::queued ? 0 : 200 + id, was_tried(state) ? 100 + id : 0));
    if (state > MessageState::queued) {
        db.script(fmt::format(
            "INSERT INTO events (seq, at, type, message, inbox, state, modem, segment, attempt, "
            "cause_kind, cause_code, prev) VALUES ({}, {}, 1, {}, 0, {}, 'm0', 0, 1, 0, 0, 0)",
            200 + id, created + 60'000, id, static_cast<int>(state)));
    }
    if (!was_tried(state)) {
        return;
    }
    const bool accepted = outcome_of(state) == OutcomeKind::accepted;
    db.script(fmt::format(
        "INSERT INTO attempts (id, message, number, segment, modem, sim, started_at, ended_at, "
        "outcome, tp_mr, cause_kind, cause_code, pending, report_ref, prev) VALUES ({0}, {1}, 1, "
        "0, "
        "'m0', 1, {2}, {2} + 900, {3}, {4}, 0, 0, {5}, {4}, 0)",
        100 + id, id, created + 59'000, static_cast<int>(outcome_of(state)),
        accepted ? std::to_string(id) : "NULL",
        state == MessageState::uncertain ? std::to_string(unknown_pending) : "NULL"));
    const bool reported = state == MessageState::delivered || state == MessageState::undelivered;
    db.script(fmt::format(
        "INSERT INTO segments (message, idx, state, attempt, tp_mr, tp_status, reported_at) VALUES "
        "({}, 0, {}, {}, {}, {}, {})",
        id, static_cast<int>(state == MessageState::sending ? MessageState::sending : state),
        100 + id, accepted ? std::to_string(id) : "NULL",
        reported ? (state == MessageState::delivered ? "0" : "70") : "NULL",
        reported ? std::to_string(created + 70'000) : "NULL"));
}

void write_inbound(Connection& db) {
    const auto segment = [&](int id, const char* inbox, int total, int seq, const char* ref) {
        db.script(
            fmt::format("INSERT INTO inbound_segments (id, fingerprint, inbox, assembly, modem, "
                        "sim, own_number, "
                        "from_addr, scts_text, kind, payload, ref, ref_bits, total, seq, raw, "
                        "received_at) VALUES "
                        "({0}, randomblob(16), {1}, {0}, 'm0', 1, '+33600', '+33699', "
                        "'2026-01-01T00:00:00Z', 0, "
                        "x'{0}', {2}, 8, {3}, {4}, x'00', {5})",
                        id, inbox, ref, total, seq, created + id));
    };
    segment(50, "51", 1, 1, "NULL");
    db.script(
        fmt::format("INSERT INTO inbox (id, from_addr, to_addr, modem, sim, content, scts_text, "
                    "received_at, segments, incomplete, undecodable, class, reply_to) VALUES (51, "
                    "'+33699', '+33600', 'm0', 1, 'hello', '2026-01-01T00:00:00Z', {}, 1, 0, 0, "
                    "NULL, 15)",
                    created));
    segment(61, "NULL", 2, 1, "7");  // the other half is still to come
}

/// What version 1 had, one row of each kind.
void write_first_version(Connection& db) {
    db.script(
        "INSERT INTO groups VALUES (1, 'default'); "
        "INSERT INTO sims VALUES (1, '8933', '20801')");
    for (std::size_t state = 0; state < first_state_count; ++state) {
        write_message(db, static_cast<MessageState>(state));
    }
    write_inbound(db);
    db.script(fmt::format(
        "INSERT INTO reports (id, fingerprint, modem, sim, tp_mr, recipient, tp_status, raw, "
        "received_at, attempt) VALUES (301, x'01', 'm0', 1, 16, '+33612345616', 0, x'00', {0}, "
        "116), "
        "(302, x'02', 'm0', 1, 99, '+33612345699', 0, x'00', {0}, NULL)",
        created));
    db.script(
        "UPDATE head SET sequence = 1000, scheduled = 1, queued = 1, sending = 1, uncertain = 1, "
        "sent = 1, delivered = 1, undelivered = 1, failed = 1, expired = 1, cancelled = 1, "
        "queued_3 = 1");
}

/// What each later version brought, by its number.
const std::map<int, const char*> brought{
    {2,
     "INSERT INTO attempt_notes (attempt, at, kind, text) VALUES (113, 5, 1, '> AT+CMGS=20'); "
     "INSERT INTO pin_tries VALUES ('8933', 4711, 2, 3, 5)"},
    {3,
     "INSERT INTO sim_usage VALUES (1, 29, zeroblob(244), 490, zeroblob(244), 20454, 7, 24312, 9, "
     "2); "
     "INSERT INTO sim_recipients VALUES (1, 24312, 77)"},
    {4,
     "UPDATE segments SET report_scts = 5, discharge = 6 WHERE message = 16; "
     "UPDATE inbox SET pid = 65, ports = 65537, waiting = 4, replaces = 3"},
    {5, "INSERT INTO slots VALUES ('m0', '3532', '8933', 5)"},
    {6, "UPDATE messages SET queued_at = created_at + 7 WHERE id = 12"},
    {7, "INSERT OR REPLACE INTO work VALUES (1, 3, 2)"},
    {8, "INSERT INTO traffic VALUES (490000, 12, 11)"},
    {9,
     "INSERT INTO batches (id, name, created_at, queued) VALUES (1, 'spring', 5, 1); "
     "UPDATE messages SET batch = 1 WHERE id = 12; "
     "INSERT INTO batch_work VALUES (1, 1, 3, 1); "
     "INSERT INTO pauses VALUES (1, 'night', 5); "
     "INSERT INTO opt_outs VALUES ('+33699000001', '9000001', 5, 0)"},
    {10,
     "INSERT INTO clients VALUES (9, 'billing', 5, 5, 9, 1, 1, 0, NULL, NULL), (8, 'billing', 4, "
     "4, 8, 0, 0, 2, NULL, 5); "
     "UPDATE messages SET client = 9 WHERE id = 12; "
     "INSERT INTO recipient_sims VALUES (4711, 1, 5)"},
    {11,
     "INSERT INTO trigger_topics VALUES (1, 'welcome', 'paris'); "
     "INSERT INTO trigger_pairs VALUES (1, 33612345612, 1767225600, 0, 12); "
     "INSERT INTO trigger_minutes VALUES ('welcome', 29453760, 3); "
     "UPDATE messages SET topic = 1 WHERE id = 12"},
    {12, "INSERT INTO trigger_days VALUES ('welcome', 1296000)"},
    {13,
     "INSERT INTO clock_set (one, at, message, attempt, event, inbox) VALUES (1, 1767225600000, "
     "1, 1, 1, 1)"},
    {14, "UPDATE schema_reader SET oldest = 14"},  // its one row comes with it
    {15,
     "UPDATE inbound_segments SET place = 3, read_at = 5 WHERE id = 50; "
     "UPDATE inbox SET maybe_repeat = 1; "
     "UPDATE reports SET place = 65537, read_at = 5 WHERE id = 301; "
     "UPDATE attempts SET report_ref = -1 WHERE id = 114"},
    {16,
     "UPDATE messages SET owner = 1001 WHERE id = 12; UPDATE events SET owner = 1001 WHERE message "
     "= 12"},
    {17,
     "INSERT INTO audit (at, caller, call, status) VALUES (5, 'root', 'POST /v1/pause', 200); "
     "INSERT INTO conversations VALUES ('+33699', 51, 3, 4)"},
    {18, "INSERT INTO history VALUES (1, 29453760, 'm0', 3, 1, 2, NULL, -71)"},
    {19,
     "INSERT INTO webhooks (id, name, created_at, cursor, state, failures, changed_at, reason, "
     "keep_days, seen_at) VALUES (1, 'crm', 5, 12, 1, 5, 6, 'HTTP 500', 30, 5); "
     "INSERT INTO deliveries VALUES (1, 12, 0, 12, 'message.queued', 5, 1, 1, 5, 6, 5, '{}'); "
     "INSERT INTO delivery_attempts VALUES (1, 12, 1, 5, 7, 500, '', 'no')"},
    {20, "UPDATE webhooks SET events = 'message.*', client = 'billing', lost = 2, lost_at = 5"},
    {21, "UPDATE messages SET note = 'order 7' WHERE id = 12"},
    {22,
     "INSERT INTO events (seq, at, type, message, inbox, state, segment, attempt, cause_kind, "
     "cause_code, prev, answers) VALUES (900, 5, 2, 0, 51, 0, 0, 0, 0, 0, 0, 9)"},
    {23,
     "INSERT INTO part_sets VALUES (800, 0, 9, 0, '', '', 2, 1, 5, 1, 7, 1); "
     "UPDATE messages SET elements = x'0a03000510', pid = 65 WHERE id = 12; "
     "UPDATE messages SET part_set = 800, part = 513 WHERE id = 15"},
    {24, "UPDATE clock_set SET boot = 7, boot_offset = 5, dated_since = 6, waits = 0"},
    {25,
     "INSERT INTO clock_walk VALUES (1, 13, 1, 5, 7, 0, 12); INSERT INTO clock_walk_ahead VALUES "
     "(12)"},
    {26, "UPDATE messages SET by_sim = 1 WHERE id = 12"},
    {27, "INSERT INTO refusals VALUES (20454, 'a', 0, 'premium', 2, 5, 6)"},
    {28, "INSERT INTO fleet_messages VALUES (12, NULL, 4, 2, 3, 0)"},
    {29,
     "INSERT INTO fleet_rules VALUES (20455, 0, '+33612345678', 1, 5); INSERT INTO "
     "fleet_rules_place VALUES (3, 7, 8, 9)"},
    {30, "INSERT INTO fleet_sims VALUES ('8933', '{}')"},
    {31,
     "INSERT INTO fleet_engine VALUES ('name', 'life', 7);"
     "INSERT INTO fleet_reports_place VALUES (4)"},
};

using Row = std::map<std::string, std::string>;  // column -> value

std::vector<Row> rows_of(Connection& db, const std::string& sql) {
    std::vector<Row> rows;
    sqlite3_stmt* statement = nullptr;
    REQUIRE(sqlite3_prepare_v2(db.handle(), sql.c_str(), -1, &statement, nullptr) == SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        Row& row = rows.emplace_back();
        for (int i = 0; i < sqlite3_column_count(statement); ++i) {
            const auto* const blob = static_cast<const char*>(sqlite3_column_blob(statement, i));
            row[sqlite3_column_name(statement, i)] =
                std::to_string(sqlite3_column_type(statement, i)) + ":" +
                std::string(blob != nullptr ? blob : "",
                            static_cast<std::size_t>(sqlite3_column_bytes(statement, i)));
        }
    }
    sqlite3_finalize(statement);
    return rows;
}

std::map<std::string, std::vector<Row>> all_rows(Connection& db) {
    std::map<std::string, std::vector<Row>> all;
    for (const Row& table : rows_of(db, "SELECT name FROM sqlite_schema WHERE type = 'table'")) {
        const std::string name = table.at("name").substr(2);
        all[name] = rows_of(db, "SELECT *, 0 FROM " + name + " ORDER BY 1, 2");
    }
    return all;
}

/// Every row is there with the values it had; columns may have come.
void check_carried_over(const std::map<std::string, std::vector<Row>>& before,
                        const std::map<std::string, std::vector<Row>>& after) {
    for (const auto& [table, rows] : before) {
        CAPTURE(table);
        REQUIRE(after.contains(table));
        REQUIRE(after.at(table).size() == rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (const auto& [column, value] : rows[i]) {
                CAPTURE(column);
                const Row& now = after.at(table)[i];
                REQUIRE(now.contains(column));
                CHECK(now.at(column) == value);
            }
        }
    }
}

/// A database of this version with a row of each kind that it can have.
void write_version(Connection& db, int version) {
    REQUIRE(db::migrate(db, db::migrations().first(static_cast<std::size_t>(version))));
    write_first_version(db);
    for (const auto& [since, sql] : brought) {
        if (since <= version) {
            db.script(sql);
        }
    }
}

/// Through the store's own door: each message as it was, and what follows continues.
void check_messages(test::StoreFixture& f) {
    for (std::size_t i = 0; i < first_state_count; ++i) {
        const auto state = static_cast<MessageState>(i);
        CAPTURE(message_state_name(state));
        const MessageId id{id_of(state)};
        const auto detail = f.detail(id);
        CHECK(detail.message.state == state);
        CHECK(detail.message.to == fmt::format("+336123456{}", id.value));
        CHECK(detail.message.body.text == fmt::format("text {}", id.value));
        CHECK(detail.message.ref == fmt::format("ref {}", id.value));
        CHECK(detail.message.cause.code == (state == MessageState::failed ? 42 : 0));
        CHECK(detail.attempts.size() == (was_tried(state) ? 1 : 0));
        if (was_tried(state)) {
            CHECK(detail.attempts[0].outcome.kind == outcome_of(state));
            CHECK(detail.segments.at(0).state == state);
        }
        CHECK(detail.history.back().state == state);
        CHECK(f.count(state) == 1);
    }
}

void check_work_goes_on(test::StoreFixture& f) {
    const MessageId sent{id_of(MessageState::sent)};
    StatusReport report = f.report(static_cast<std::uint8_t>(sent.value));
    report.recipient = f.detail(sent).message.to;
    REQUIRE(f.keep(report)->matched);
    CHECK(f.state(sent) == MessageState::delivered);
    REQUIRE(f.uncertain_attempts().size() == 1);
    CHECK(f.uncertain_attempts()[0].message.value == id_of(MessageState::uncertain));
    f.clock.advance(std::chrono::hours(2));
    CHECK(f.take_due().size() == 1);               // the one between two attempts
    CHECK(f.count(MessageState::scheduled) == 0);  // it waits with the others now
    CHECK(f.count(MessageState::queued) == 2);
    auto half = f.inbound("b", ConcatInfo{.ref = 7, .total = 2, .seq = 2, .ref_bits = 8});
    half.from = "+33699";
    const auto kept = f.keep(half);
    REQUIRE(kept);
    CHECK(kept->inbox != InboxId{});
    const auto inbox = f.look([](ports::StoreReader& r) { return r.inbox({}); });
    REQUIRE(inbox->size() == 2);
    CHECK((*inbox)[0].content.text == "hello");
    CHECK((*inbox)[0].reply_to.value == id_of(MessageState::sent));
    CHECK((*inbox)[1].segments == 2);
}

}  // namespace

TEST_CASE("migrate: each version carries over every row of the one before, with its values") {
    const int last = static_cast<int>(db::migrations().size());
    for (int version = 1; version < last; ++version) {
        CAPTURE(version);
        const test::TempFolder folder;
        const auto database = open_database(folder.file("x.db"));
        write_version(*database, version);
        const auto before = all_rows(*database);
        CHECK(before.at("messages").size() == first_state_count);
        const auto next = db::migrations().first(static_cast<std::size_t>(version + 1));
        REQUIRE(db::migrate(*database, next));
        check_carried_over(before, all_rows(*database));
    }
}

TEST_CASE("migrate: a store that an older version wrote continues with every message") {
    const int last = static_cast<int>(db::migrations().size());
    for (int version = 1; version <= last; ++version) {
        CAPTURE(version);
        test::StoreFixture f({}, test::StoreFixture::Begin::closed);
        write_version(*open_database(f.folder.file("smsrack.db")), version);
        f.open();
        check_messages(f);
        check_work_goes_on(f);
        f.reopen();
        CHECK(f.count(MessageState::delivered) == 2);
    }
}

TEST_CASE("migrate: each version has rows of its own in these tests") {
    CHECK(brought.size() + 1 == db::migrations().size());
    for (const auto& [version, sql] : brought) {
        CHECK(version <= static_cast<int>(db::migrations().size()));
    }
}
