#include "db/upkeep/check.hpp"

#include "db/engine/migrate.hpp"
#include "db/read/message_record.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace smsrack::db {
namespace {

// SQLite's own check stops after this many.
constexpr std::size_t problems_max = 100;

/// A statement that counts rows which must not be there.
struct Rule {
    Sql count;
    const char* broken;
};

constexpr std::array rules{
    Rule{"SELECT count(*) FROM messages WHERE state NOT BETWEEN 0 AND 10",
         "messages in no known state"},
    Rule{"SELECT count(*) FROM messages WHERE waiting <> (state <= 2)",
         "messages whose time to live is watched wrongly"},
    Rule{"SELECT count(*) FROM messages m WHERE state BETWEEN 2 AND 6 AND NOT EXISTS (SELECT 1 "
         "FROM segments s WHERE s.message = m.id) AND NOT EXISTS (SELECT 1 FROM fleet_messages f "
         "WHERE f.id = m.id AND f.box <> 0)",
         "messages that have begun without a segment"},
    Rule{"SELECT count(*) FROM messages m WHERE state IN (0, 1, 10) AND EXISTS (SELECT 1 FROM "
         "segments "
         "s WHERE s.message = m.id)",
         "messages with segments that have not begun"},
    Rule{"SELECT count(*) FROM messages m WHERE in_hand <> (SELECT count(*) FROM attempts a WHERE "
         "a.pending = 0 AND a.message = m.id) AND (in_hand <> 0 OR m.id IN (SELECT message FROM "
         "attempts WHERE pending = 0))",
         "messages in a modem's hand without one open attempt"},
    Rule{"SELECT count(*) FROM messages m LEFT JOIN attempts a ON a.id = m.last_attempt WHERE "
         "m.last_attempt <> 0 AND a.message IS NOT m.id",
         "messages whose last attempt is missing"},
    Rule{"SELECT count(*) FROM segments s LEFT JOIN messages m ON m.id = s.message WHERE m.id IS "
         "NULL",
         "segments of no message"},
    Rule{"SELECT count(*) FROM attempts a LEFT JOIN messages m ON m.id = a.message WHERE m.id IS "
         "NULL",
         "attempts of no message"},
    Rule{"SELECT count(*) FROM attempt_notes n LEFT JOIN attempts a ON a.id = n.attempt WHERE a.id "
         "IS NULL",
         "notes of no attempt"},
    Rule{"SELECT count(*) FROM attempts WHERE (pending IS 0) <> (outcome = 0)",
         "attempts open without being so"},
    Rule{"SELECT count(*) FROM attempts a LEFT JOIN segments s ON s.message = a.message AND s.idx "
         "= a.segment WHERE a.pending IN (1, 2) AND (s.state IS NOT 3 OR s.attempt <> a.id)",
         "attempts uncertain without their segment being so"},
    Rule{"SELECT count(*) FROM segments s LEFT JOIN attempts a ON a.id = s.attempt WHERE s.state = "
         "3 AND a.pending IS NULL",
         "uncertain segments that nothing will resolve"},
    Rule{"SELECT count(*) FROM inbound_segments s LEFT JOIN inbox i ON i.id = s.inbox WHERE "
         "s.inbox > 0 AND i.id IS NULL",
         "received segments of no inbox row"},
    Rule{"SELECT count(*) FROM head WHERE sequence < max((SELECT coalesce(max(id), 0) FROM "
         "messages), (SELECT coalesce(max(seq), 0) FROM events), (SELECT coalesce(max(id), 0) FROM "
         "attempts), (SELECT coalesce(max(id), 0) FROM inbox))",
         "sequence behind its rows"},
    Rule{"SELECT count(*) FROM (SELECT state, count(*) AS n FROM messages GROUP BY state) c, head "
         "h WHERE c.n <> CASE c.state WHEN 0 THEN h.scheduled WHEN 1 THEN h.queued WHEN 2 THEN "
         "h.sending WHEN 3 THEN h.uncertain WHEN 4 THEN h.sent WHEN 5 THEN h.delivered WHEN 6 THEN "
         "h.undelivered WHEN 7 THEN h.failed WHEN 8 THEN h.expired WHEN 9 THEN h.cancelled ELSE "
         "h.elsewhere "
         "END",
         "states counted wrongly"},
    Rule{"SELECT count(*) FROM head WHERE scheduled + queued + sending + uncertain + sent + "
         "delivered + undelivered + failed + expired + cancelled + elsewhere <> (SELECT count(*) "
         "FROM messages)",
         "sum of states that is not the number of messages"},
    Rule{"SELECT count(*) FROM head WHERE queued <> queued_0 + queued_1 + queued_2 + queued_3 + "
         "queued_4 + queued_5 + queued_6",
         "sum of levels that is not the number of queued messages"},
    Rule{"SELECT count(*) FROM (SELECT sum(segments) AS n FROM (SELECT grp, level, segments FROM "
         "messages WHERE state IN (1, 2) UNION ALL SELECT grp, level, -segments FROM work) GROUP "
         "BY grp, level) WHERE n <> 0",
         "groups and levels whose work is counted wrongly"},
    Rule{"SELECT count(*) FROM (SELECT sum(segments) AS n FROM (SELECT batch, grp, level, segments "
         "FROM messages WHERE batch <> 0 AND state IN (1, 2) UNION ALL SELECT batch, grp, level, "
         "-segments FROM batch_work) GROUP BY batch, grp, level) WHERE n <> 0",
         "batches whose work is counted wrongly"},
};

void check_file(Connection& db, CheckReport& report) {
    for (std::string& sentence : db.column<std::string>("PRAGMA integrity_check")) {
        if (sentence != "ok" && report.problems.size() < problems_max) {
            report.problems.push_back(std::move(sentence));
        }
    }
}

void check_rules(Connection& db, CheckReport& report) {
    for (const Rule& rule : rules) {
        const auto rows = db.scalar<std::int64_t>(rule.count, 0);
        if (rows != 0) {
            report.problems.push_back(fmt::format("{} {}", rows, rule.broken));
        }
    }
}

/// What the table of states says, message by message.
void check_states(Connection& db, CheckReport& report) {
    std::int64_t wrong = 0;
    MessageId id{};
    MessageState state{};
    bool partial = false;
    std::vector<SegmentRecord> segments;
    const auto judge = [&] {
        if (segments.empty()) {
            return;
        }
        const bool differ = std::ranges::any_of(
            segments, [&](const SegmentRecord& s) { return s.state != segments.front().state; });
        wrong += state_of(segments) != state || differ != partial ? 1 : 0;
        segments.clear();
    };
    Rows rows = db.query(
        "SELECT m.id, m.state, m.partial, s.state FROM segments s JOIN messages m ON m.id = "
        "s.message ORDER BY s.message, s.idx");
    while (rows.next()) {
        MessageId next_id{};
        MessageState next_state{};
        bool next_partial = false;
        MessageState segment{};
        rows.read(next_id, next_state, next_partial, segment);
        if (next_id != id) {
            judge();
        }
        id = next_id;
        state = next_state;
        partial = next_partial;
        segments.push_back({.state = segment});
    }
    judge();
    if (wrong != 0) {
        report.problems.push_back(
            fmt::format("{} messages whose state does not follow from their segments", wrong));
    }
}

}  // namespace

Result<CheckReport> check(const std::filesystem::path& database) {
    return read_alone(database, [](Connection& db) -> Result<CheckReport> {
        const auto version = known_version(db, migrations());
        if (!version) {
            return std::unexpected(version.error());
        }
        if (const auto last = static_cast<int>(migrations().size()); *version < last) {
            return fail(Errc::conflict,
                        fmt::format("the database has version {}: the service brings it to {} when "
                                    "it starts",
                                    *version, last));
        }
        db.script("BEGIN");
        CheckReport report{.version = *version};
        check_file(db, report);
        if (report.problems.empty()) {
            check_rules(db, report);
            check_states(db, report);
        }
        report.messages = db.scalar<std::int64_t>("SELECT count(*) FROM messages", 0);
        report.inbox = db.scalar<std::int64_t>("SELECT count(*) FROM inbox", 0);
        return report;
    });
}

}  // namespace smsrack::db
