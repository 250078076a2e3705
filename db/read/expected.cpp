#include "db/read/expected.hpp"

#include "src/sms/message_states.hpp"

#include <chrono>
#include <tuple>

namespace smsrack::db {

/// Attempts are looked at in their order, behind those of which it is known that nothing is waited for any more, so that no index has to
/// be kept for this alone. Who asks for the first time begins three days ago.
ports::Expected expected_for(Connection& db, SimId sim, WallTime now, AttemptId settled) {
    constexpr std::chrono::hours longest{72};  // a report that is later than this is not waited for
    // TP-VP is rounded up, and the report takes its time
    constexpr std::chrono::minutes behind_ttl{15};
    bool waits = false;
    AttemptId newest;
    AttemptId reported;
    (void)db.first(
        std::tie(waits, newest, reported),
        "WITH w (waits) AS (SELECT EXISTS (SELECT 1 FROM attempts WHERE pending IN (0, 1, 2) "
        "AND (?1 = 0 OR sim = ?1)) OR EXISTS (SELECT 1 FROM inbound_segments WHERE inbox IS NULL "
        "AND (?1 = 0 OR sim = ?1))) SELECT w.waits, coalesce((SELECT max(id) FROM attempts), 0), "
        "CASE WHEN w.waits THEN 0 ELSE coalesce((SELECT a.id FROM attempts a NOT INDEXED CROSS "
        "JOIN segments s ON s.message = a.message AND s.idx = a.segment AND s.attempt = a.id "
        "CROSS JOIN messages m ON m.id = a.message WHERE a.id > CASE WHEN ?5 > 0 THEN ?5 ELSE "
        "coalesce((SELECT id FROM attempts NOT INDEXED WHERE started_at < ?2 ORDER BY id DESC "
        "LIMIT 1), 0) END AND a.started_at >= ?2 AND (?1 = 0 OR a.sim = ?1) AND a.report_ref IS "
        "NOT NULL AND s.state = ?4 AND m.expires_at > ?3 ORDER BY a.id LIMIT 1), 0) END FROM w",
        sim, now - longest, now - behind_ttl, MessageState::sent, settled);
    if (waits) {  // as long as an attempt is open, it is not known how it ends
        return {.anything = true, .settled = settled};
    }
    const bool found = reported != AttemptId{};
    return {.anything = found, .settled = found ? AttemptId{reported.value - 1} : newest};
}

}  // namespace smsrack::db
