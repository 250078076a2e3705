#include "db/recovery.hpp"

#include "db/attempts.hpp"
#include "src/base/check.hpp"

#include <vector>

namespace smsrack::db {
namespace {

std::vector<ports::AttemptEnd> open_attempts(Connection& db) {
    std::vector<ports::AttemptEnd> open;
    Rows rows = db.query("SELECT id, message, segment FROM attempts WHERE pending = 0 ORDER BY id");
    while (rows.next()) {
        ports::AttemptEnd& end = open.emplace_back();
        rows.read(end.attempt, end.message, end.segment);
    }
    return open;
}

}  // namespace

Recovered recover(Writer& writer, WallTime now) {
    Recovered recovered;
    writer.db.run("UPDATE attempts SET pending = 1 WHERE pending = 2");
    for (ports::AttemptEnd& end : open_attempts(writer.db)) {
        end.outcome.kind = OutcomeKind::unknown;
        end.event = MessageEvent::silence;
        end.at = now;
        end.due_at = now + writer.settings.uncertain_after;
        end.detail = "restart";
        SMSRACK_CHECK(end_attempt(writer, end).has_value());
        writer.db.run("UPDATE attempts SET pending = 2 WHERE id = ? AND pending = 1", end.attempt);
        ++recovered.uncertain;
    }
    writer.db.run("UPDATE messages SET due_at = ? WHERE state = 2 AND due_at IS NULL", now);
    recovered.going_on = static_cast<std::size_t>(writer.db.changed_rows());
    return recovered;
}

}  // namespace smsrack::db
