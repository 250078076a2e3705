#include "db/upkeep/lifecycle.hpp"

#include "db/read/message_record.hpp"
#include "db/read/out_message.hpp"
#include "db/upkeep/clock_record.hpp"
#include "db/write/claims.hpp"
#include "db/write/clock_walk.hpp"
#include "db/write/fleet_places.hpp"
#include "db/write/parts.hpp"
#include "db/write/replacing.hpp"
#include "db/write/sim_quota.hpp"
#include "db/write/webhooks.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::db {
namespace {

bool not_taken(MessageState state) {
    return state == MessageState::queued || state == MessageState::sending ||
           state == MessageState::uncertain;
}

/// A message on a line, or with a segment taken, can't be called back on request.
bool cancel_is_late(const MessageRecord& message) {
    const bool on_a_line = message.state == MessageState::sending && !message.due_at;
    return on_a_line || message.sim != SimId{};
}

bool is_with_another_box(const MessageRecord& message) {
    return message.state == MessageState::elsewhere ||
           (message.state == MessageState::uncertain && message.segments.empty());
}

/// The state that `event` leads to, with the segments changed; nullopt if no part of the message
/// allows it.
std::optional<MessageState> ended(MessageRecord& message, MessageEvent event) {
    if (message.segments.empty()) {
        return next(message_rules, message.state, event);
    }
    bool any = false;
    for (SegmentRecord& segment : message.segments) {
        any = (not_taken(segment.state) && apply_event(segment, event)) || any;
    }
    return any ? std::optional(state_of(message.segments)) : std::nullopt;
}

void end_message(Writer& writer, MessageRecord& message, MessageState state,
                 const ports::FinishMessage& end) {
    if (!message.segments.empty()) {
        settle_attempts(writer.db, message);
    }
    message.detail = end.detail;
    save_message(writer, message, state,
                 {.at = end.at,
                  .modem = message.modem,
                  .attempt = message.attempts,
                  .cause = message.cause,
                  .detail = end.detail});
}

/// Of a row that the same transaction has just found.
MessageRecord load_found(Connection& db, MessageId id) {
    auto message = load_message(db, id);
    SMSRACK_CHECK(message.has_value());
    return *std::move(message);
}

/// Its waiting begins.
void queue(Writer& writer, MessageId id, WallTime now) {
    MessageRecord message = load_found(writer.db, id);
    if (message.part_set != PartSetId{}) {
        return part_due(writer, message, now);
    }
    message.due_at.reset();
    const bool is_shared = (message.flags & flag_shared) != 0 && writer.settings.box != BoxNumber{};
    if (is_shared) {
        insert_place(writer.db, id, {});
    }
    save_message(writer, message, is_shared ? MessageState::elsewhere : MessageState::queued,
                 {.at = now});
    writer.db.run("UPDATE messages SET queued_at = ? WHERE id = ?", now, id);
}

OutMessage take(Writer& writer, MessageId id, WallTime now) {
    MessageRecord message = load_found(writer.db, id);
    message.due_at.reset();
    save_message(writer, message, message.state, {.at = now});
    auto taken = load_out_message(writer.db, id);
    SMSRACK_CHECK(taken.has_value());
    return *std::move(taken);
}

}  // namespace

Result<MessageState> finish_message(Writer& writer, const ports::FinishMessage& end, By by) {
    auto message = load_message(writer.db, end.message);
    if (!message) {
        return fail(Errc::not_found, "no message has this id");
    }
    if (is_outdated(*message, end.queued_by)) {
        return fail(Errc::conflict, "the message was replaced", ports::was_replaced);
    }
    if (is_with_another_box(*message)) {
        return fail(Errc::conflict, "another box may send the message: only the fleet ends it");
    }
    const bool late =
        end.event == MessageEvent::cancel && by != By::holder && cancel_is_late(*message);
    if (message->in_hand || late) {
        return fail(Errc::conflict, "the message is in flight on a modem, or was sent");
    }
    const auto state = ended(*message, end.event);
    if (!state) {
        return fail(Errc::conflict,
                    "the message is " + std::string(message_state_name(message->state)));
    }
    end_message(writer, *message, *state, end);
    return *state;
}

Result<MessageState> apply(Writer& writer, const ports::FinishMessage& command) {
    return finish_message(writer, command);
}

Result<MessageState> apply(Writer& writer, const ports::CancelMessage& command) {
    return finish_message(writer, {.message = row_of(writer.db, command.message),
                                   .event = MessageEvent::cancel,
                                   .detail = "by_request",
                                   .at = command.at});
}

/// The attempt stays the segment's newest, so that its answer still counts where it comes before the next attempt.
Result<> apply(Writer& writer, const ports::ResendSegment& again) {
    auto message = load_message(writer.db, again.message);
    if (!message) {
        return fail(Errc::not_found, "no message has this id");
    }
    const auto doubtful =
        std::ranges::find_if(message->segments, [&](const SegmentRecord& segment) {
            return segment.attempt == again.doubt && segment.state == MessageState::uncertain;
        });
    if (message->in_hand || doubtful == message->segments.end()) {
        return fail(Errc::conflict, "the outcome of this attempt is no longer unknown");
    }
    settle_attempts(writer.db, *message);
    apply_event(*doubtful, MessageEvent::not_sent);
    message->due_at = again.at;
    message->detail = "resend";
    save_message(writer, *message, state_of(message->segments),
                 {.at = again.at,
                  .modem = message->modem,
                  .segment = doubtful->index,
                  .attempt = message->attempts,
                  .detail = message->detail});
    return {};
}

void apply(Writer& writer, const ports::PutBack& command) {
    writer.db.run(
        "UPDATE messages SET due_at = ? WHERE id = ? AND state = ? AND in_hand = 0 AND due_at IS "
        "NULL",
        command.at, command.message, MessageState::sending);
}

Result<> apply(Writer& writer, const ports::RestartMessage& restart) {
    auto message = load_message(writer.db, restart.message);
    if (!message) {
        return fail(Errc::not_found, "no message has this id");
    }
    const bool live =
        message->state == MessageState::sending || message->state == MessageState::uncertain;
    if (message->in_hand || !live || message->segments.empty()) {
        return fail(Errc::conflict,
                    "the message is " + std::string(message_state_name(message->state)));
    }
    settle_attempts(writer.db, *message);
    for (SegmentRecord& segment : message->segments) {
        segment = SegmentRecord{.index = segment.index};
    }
    message->sim = {};
    message->concat_ref.reset();
    message->due_at = restart.due_at;
    message->detail = restart.detail;
    save_message(writer, *message, MessageState::sending,
                 {.at = restart.at,
                  .modem = message->modem,
                  .detail = restart.detail,
                  .is_told_anyhow = true});
    return {};
}

std::vector<OutMessage> apply(Writer& writer, const ports::TakeDue& command) {
    const auto& [now, wishes] = command;
    // Times that were not moved yet say nothing.
    const std::size_t scheduled = is_walking(writer.db) ? 0 : wishes.scheduled;
    for (const MessageId id : writer.db.column<MessageId>(
             "SELECT id FROM messages WHERE state = 0 AND due_at <= ? ORDER BY due_at, id LIMIT ?",
             now, scheduled)) {
        queue(writer, id, now);
    }
    std::vector<OutMessage> taken;
    for (const ports::DueWishes::Retries& wish : wishes.retries) {
        for (const MessageId id : writer.db.column<MessageId>(due_retries_sql, wish.group,
                                                              wish.level, now, wish.limit)) {
            taken.push_back(take(writer, id, now));
        }
    }
    return taken;
}

std::size_t apply(Writer& writer, const ports::MoveTimes& command) {
    const ClockMove& move = command.move;
    const std::int64_t by = move.by.count();
    begin_walk(writer, move);
    // Between two attempts, or in doubt: their pauses were counted from the time that was not true.
    writer.db.run(
        "UPDATE messages INDEXED BY messages_sending SET due_at = due_at + ?1, updated_at = "
        "updated_at + ?1 WHERE state = 2 AND due_at IS NOT NULL AND updated_at > ?2 AND updated_at "
        "<= ?3 AND expires_at - created_at >= ?4",
        by, move.after, move.until, move.life_least().count());
    auto moved = static_cast<std::size_t>(writer.db.changed_rows());
    writer.db.run(
        "UPDATE messages INDEXED BY messages_uncertain SET due_at = due_at + ?1, updated_at = "
        "updated_at + ?1 WHERE state = 3 AND due_at IS NOT NULL AND updated_at > ?2 AND updated_at "
        "<= ?3",
        by, move.after, move.until);
    moved += static_cast<std::size_t>(writer.db.changed_rows());
    move_part_sets(writer.db, move);
    move_minutes(writer, move);
    move_usage(writer.db, move);
    move_deliveries(writer.db, move);
    keep_clock_set(writer.db, move.until + move.by);
    writer.moves.push_back(move);
    return moved;
}

std::size_t apply(Writer& writer, const ports::ExpireOverdue& command) {
    const auto& [now, limit] = command;
    if (is_walking(writer.db)) {
        return 0;
    }
    const auto ids = writer.db.column<MessageId>(
        "SELECT id FROM messages WHERE waiting = 1 AND expires_at <= ? AND in_hand = 0 ORDER BY "
        "expires_at LIMIT ?",
        now, limit);
    for (const MessageId id : ids) {
        MessageRecord message = load_found(writer.db, id);
        const ports::FinishMessage end{
            .message = id, .event = MessageEvent::too_late, .detail = "ttl", .at = now};
        if (const auto state = ended(message, end.event)) {
            end_message(writer, message, *state, end);
        }
    }
    return ids.size();
}

}  // namespace smsrack::db
