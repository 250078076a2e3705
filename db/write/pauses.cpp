#include "db/write/pauses.hpp"

#include "db/read/message_record.hpp"
#include "db/upkeep/lifecycle.hpp"
#include "db/write/batches.hpp"
#include "db/write/fleet_rules.hpp"

namespace smsrack::db {
namespace {

using ports::PauseScope;

/// "rack", "group NAME" or "batch NAME".
std::string words_of(const ports::SetPause& order) {
    const auto scope = ports::pause_scope_names.at(static_cast<std::size_t>(order.scope));
    return std::string(scope) + (order.name.empty() ? "" : " ") + order.name;
}

bool change(Writer& writer, const ports::SetPause& order) {
    if (order.scope == PauseScope::batch && order.paused) {
        const BatchId batch = writer.names.batch(order.name, order.at);
        writer.db.run("UPDATE batches SET paused_at = ? WHERE id = ? AND paused_at IS NULL",
                      order.at, batch);
    } else if (order.scope == PauseScope::batch) {
        writer.db.run(
            "UPDATE batches SET paused_at = NULL WHERE name = ? AND paused_at IS NOT NULL",
            order.name);
    } else if (order.paused) {
        writer.db.run("INSERT OR IGNORE INTO pauses (scope, name, at) VALUES (?, ?, ?)",
                      order.scope, order.name, order.at);
    } else {
        writer.db.run("DELETE FROM pauses WHERE scope = ? AND name = ?", order.scope, order.name);
    }
    return writer.db.changed_rows() > 0;
}

bool is_held(Connection& db, const MessageRecord& message) {
    return db.scalar<bool>(
        "SELECT EXISTS (SELECT 1 FROM pauses p WHERE p.scope = 0 OR (p.scope = 1 AND p.name = "
        "(SELECT name FROM groups WHERE id = ?1))) OR EXISTS (SELECT 1 FROM batches WHERE id = ?2 "
        "AND (paused_at IS NOT NULL OR cancelled_at IS NOT NULL))",
        false, message.group, message.batch);
}

}  // namespace

std::vector<ports::Pause> read_pauses(Connection& db) {
    const auto read = [](const Rows& row) {
        ports::Pause pause;
        row.read(pause.scope, pause.name, pause.since, pause.batch, pause.cancelled);
        return pause;
    };
    return db.all(
        read,
        "SELECT scope, name, at, 0, 0 FROM pauses UNION ALL SELECT 2, name, coalesce(cancelled_at, "
        "paused_at), id, cancelled_at IS NOT NULL FROM batches WHERE (paused_at IS NOT NULL OR "
        "cancelled_at IS NOT NULL) AND (cancelled_at IS NULL OR cancel_after IS NOT NULL OR "
        "scheduled + queued + sending + uncertain + elsewhere > 0) ORDER BY 1, 2");
}

Result<bool> change_pause(Writer& writer, const ports::SetPause& order) {
    if (order.scope == PauseScope::batch && is_cancelled_batch(writer.db, order.name)) {
        return fail(Errc::conflict, "batch " + order.name + " was cancelled");
    }
    const bool changed = change(writer, order);
    if (changed && !order.paused) {
        // Those that another pause still holds are put off again.
        writer.db.run("UPDATE messages SET due_at = ? WHERE state = 2 AND due_at >= ?", order.at,
                      ports::no_end_yet);
    }
    if (changed) {
        writer.ledger.notice(order.at, (order.paused ? "paused " : "resumed ") + words_of(order));
        writer.ledger.pauses_changed();
    }
    return changed;
}

Result<bool> apply(Writer& writer, const ports::SetPause& order) {
    auto changed = change_pause(writer, order);
    if (changed) {
        tell_fleet(writer, {.kind = ports::RuleKind::pause,
                            .name = words_of(order),
                            .holds = order.paused,
                            .at = order.at});
    }
    return changed;
}

std::optional<WallTime> apply(Writer& writer, const ports::PutOff& command) {
    const auto& [id, until, at] = command;
    auto message = load_message(writer.db, id);
    if (!message || message->in_hand || message->due_at ||
        message->state != MessageState::sending) {
        return std::nullopt;
    }
    const bool held = is_held(writer.db, *message);
    const WallTime due = held ? ports::no_end_yet : until;
    writer.db.run("UPDATE messages SET due_at = ? WHERE id = ?", due, id);
    if (held && is_cancelled_batch(writer.db, message->batch)) {
        (void)finish_message(
            writer,
            {.message = id, .event = MessageEvent::cancel, .detail = "batch_cancelled", .at = at});
    }
    return held ? std::nullopt : std::optional(due);
}

}  // namespace smsrack::db
