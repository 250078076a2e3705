#include "db/upkeep/recovery.hpp"

#include "db/write/attempts.hpp"
#include "db/write/parts.hpp"

#include <algorithm>
#include <vector>

namespace smsrack::db {
namespace {

std::vector<ports::EndAttempt> open_attempts(Connection& db) {
    const auto read = [](const Rows& row) {
        ports::EndAttempt end;
        row.read(end.attempt, end.message, end.segment);
        return end;
    };
    return db.all(read, "SELECT id, message, segment FROM attempts WHERE pending = 0 ORDER BY id");
}

/// Of an attempt whose answer is unknown.
void leave_in_doubt(ports::EndAttempt& end, const Writer& writer) {
    end.outcome.kind = OutcomeKind::unknown;
    end.event = MessageEvent::silence;
    end.due_at = end.at + writer.settings.uncertain_after;
}

/// What follows the answer that was noted. False: it leaves a doubt, which no port can resolve any more.
bool judge_noted(ports::EndAttempt& end, const SubmitOutcome& noted, const ErrorTable& errors) {
    end.outcome = noted;
    if (noted.kind == OutcomeKind::accepted) {
        end.event = MessageEvent::accepted;
        return true;
    }
    constexpr bool pdu_sent = true;
    if (noted.kind == OutcomeKind::refused &&
        errors.info(noted.cause).class_of(pdu_sent) != CauseClass::ambiguous) {
        // once more: if it is refused for good, that is reported again
        end.event = MessageEvent::not_sent;
        end.due_at = end.at;
        end.counts_as_failure = true;
        return true;
    }
    return false;
}

}  // namespace

Recovered recover(Writer& writer, const LastAnswers& answers, std::span<const AttemptId> in_hand,
                  WallTime now) {
    Recovered recovered;
    writer.db.run("UPDATE attempts SET pending = 1 WHERE pending = 2");
    for (ports::EndAttempt& end : open_attempts(writer.db)) {
        if (std::ranges::find(in_hand, end.attempt) != in_hand.end()) {
            continue;
        }
        end.at = now;
        end.detail = "restart";
        const auto noted = answers.earlier(end.attempt);
        const bool answered = noted && judge_noted(end, *noted, *writer.rules.errors);
        if (!answered) {
            leave_in_doubt(end, writer);
        }
        if (!apply(writer, end)) {
            throw StorageFailure{damage("an open attempt has no message")};
        }
        if (!noted && answers.complete()) {  // the port may still tell
            writer.db.run("UPDATE attempts SET pending = 2 WHERE id = ? AND pending = 1",
                          end.attempt);
        }
        ++(answered ? recovered.answered : recovered.uncertain);
    }
    // What still has an attempt open continues when its answer comes.
    writer.db.run(
        "UPDATE messages SET due_at = ? WHERE state = 2 AND due_at IS NULL AND in_hand = 0", now);
    recovered.going_on = static_cast<std::size_t>(writer.db.changed_rows());
    wake_parts(writer, now);
    return recovered;
}

}  // namespace smsrack::db
