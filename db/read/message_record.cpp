#include "db/read/message_record.hpp"

#include "db/read/event_log.hpp"
#include "db/write/claims.hpp"
#include "db/write/clock_walk.hpp"
#include "db/write/fleet_places.hpp"
#include "db/write/parts.hpp"
#include "db/write/rack_history.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::db {
namespace {

/// Its time to live is watched here: that of a message of another box, or for it, is that box's.
bool is_waiting(MessageState state) {
    return state == MessageState::scheduled || state == MessageState::queued ||
           state == MessageState::sending;
}

std::vector<SegmentRecord> load_segments(Connection& db, MessageId id) {
    const auto read = [](const Rows& row) {
        SegmentRecord s;
        row.read(s.index, s.state, s.attempt, s.tp_mr, s.tp_status, s.reported_at, s.report_scts,
                 s.discharge);
        return s;
    };
    return db.all(read,
                  "SELECT idx, state, attempt, tp_mr, tp_status, reported_at, report_scts, "
                  "discharge FROM segments WHERE message = ? ORDER BY idx",
                  id);
}

void save_segments(Connection& db, const MessageRecord& message) {
    for (const SegmentRecord& s : message.segments) {
        db.run(
            "INSERT OR REPLACE INTO segments (message, idx, state, attempt, tp_mr, tp_status, "
            "reported_at, report_scts, discharge) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            message.id, s.index, s.state, s.attempt, s.tp_mr, s.tp_status, s.reported_at,
            s.report_scts, s.discharge);
    }
}

void save_row(Connection& db, const MessageRecord& m) {
    // `waiting` is not among these columns, so that its index is left alone.
    db.run(
        "UPDATE messages SET state = ?, segments = ?, updated_at = ?, due_at = ?, attempts = ?, "
        "failures = ?, concat_ref = ?, sim = ?, in_hand = ?, partial = ?, cause_kind = ?, "
        "cause_code = ?, detail = ?, modem = ?, last_event = ?, last_attempt = ? WHERE id = ?",
        m.state, m.segment_count, m.updated_at, m.due_at, m.attempts, m.failures, m.concat_ref,
        m.sim, m.in_hand, m.partial, m.cause.kind, m.cause.code, unless_empty(m.detail),
        unless_empty(m.modem), m.last_event, m.last_attempt, m.id);
}

/// The walk of a correction of the clock passes what has other states, or ends above it.
bool has_times_that_count(MessageState state) {
    return awaits_end(state);
}

void save_waiting(Connection& db, MessageRecord& m) {
    const bool waiting = is_waiting(m.state);
    if (waiting == m.waiting) {
        return;
    }
    m.waiting = waiting;
    db.run("UPDATE messages SET waiting = ? WHERE id = ?", waiting, m.id);
}

/// Before the new state is set.
void count_work(Ledger& ledger, MessageRecord& message, MessageState to) {
    const std::int64_t before = is_work(message.state) ? message.counted_segments : 0;
    const std::int64_t after = is_work(to) ? message.segment_count : 0;
    if (before != after) {
        ledger.count_work(message.group, message.level, after - before, message.batch);
    }
    message.counted_segments = message.segment_count;
}

/// `before`: the state that it had.
EventSeq append_move(Writer& writer, const MessageRecord& message, MessageState before,
                     const Change& change) {
    Event event;
    event.at = change.at;
    event.message = message.id;
    event.origin = message.origin;
    event.client = message.client;
    event.owner = message.owner;
    event.to = message.to;
    event.note = message.note;
    event.state = message.state;
    event.modem = change.modem;
    event.segment = change.segment;
    event.attempt = change.attempt;
    event.cause = change.cause;
    event.detail = change.detail;
    // Of one that was sent, `no_report` may have been the end.
    event.again = is_final(before) || (before == MessageState::sent && is_end(event) &&
                                       had_ended(writer.db, message.last_event));
    return writer.ledger.append(std::move(event), message.last_event);
}

std::vector<MessageState> states_of(std::span<const SegmentRecord> segments) {
    std::vector<MessageState> states;
    states.reserve(segments.size());
    for (const SegmentRecord& segment : segments) {
        states.push_back(segment.state);
    }
    return states;
}

}  // namespace

std::optional<MessageRecord> load_message(Connection& db, MessageId id) {
    MessageRecord m;
    if (!db.first(
            std::tie(m.id, m.state, m.level, m.group, m.segment_count, m.flags, m.waiting,
                     m.updated_at, m.due_at, m.attempts, m.failures, m.concat_ref, m.sim, m.in_hand,
                     m.partial, m.cause.kind, m.cause.code, m.detail, m.modem, m.last_event,
                     m.last_attempt, m.batch, m.topic, m.client, m.owner, m.to, m.note, m.part_set),
            "SELECT id, state, level, grp, segments, flags, waiting, updated_at, due_at, attempts, "
            "failures, concat_ref, sim, in_hand, partial, cause_kind, cause_code, detail, modem, "
            "last_event, last_attempt, batch, topic, client, owner, to_addr, note, "
            "coalesce(part_set, 0) FROM messages "
            "WHERE "
            "id = ?",
            id)) {
        return std::nullopt;
    }
    m.counted_segments = m.segment_count;
    m.segments = load_segments(db, id);
    if ((m.flags & flag_shared) != 0) {
        m.origin = origin_of(db, id);
    }
    return m;
}

bool apply_event(SegmentRecord& segment, MessageEvent event) {
    const auto to = next(message_rules, segment.state, event);
    if (to) {
        segment.state = *to;
    }
    return to.has_value();
}

MessageState state_of(std::span<const SegmentRecord> segments) {
    const MessageState state = worst_of(states_of(segments));
    return state == MessageState::queued ? MessageState::sending : state;
}

void save_message(Writer& writer, MessageRecord& message, MessageState state,
                  const Change& change) {
    count_work(writer.ledger, message, state);
    if (has_times_that_count(message.state) && !has_times_that_count(state)) {
        move_ahead(writer.db, message.id);
    }
    if (state != message.state) {
        if (message.topic != ports::TopicId{}) {
            follow_message(writer.db, message, state);
        }
        writer.ledger.count(message.state, message.level, -1);
        writer.ledger.count(state, message.level, +1);
        writer.ledger.count(message.batch, message.state, -1);
        writer.ledger.count(message.batch, state, +1);
        writer.ledger.count(message.client, message.state, -1);
        writer.ledger.count(message.client, state, +1);
        if (!change.is_of_another_box) {
            writer.history.moved(message.state, state, message.modem);
        }
        const MessageState before = std::exchange(message.state, state);
        message.last_event = append_move(writer, message, before, change);
        if ((message.flags & flag_shared) != 0 && !awaits_end(state) && !change.is_of_another_box) {
            note_end_here(writer.db, message.id);
        }
        if (state == MessageState::queued) {
            writer.ledger.work_waits(message.group, message.level, message.id);
        } else if (before == MessageState::queued) {
            writer.ledger.work_began(message.group, message.level, message.id);
        }
    } else if (change.is_told_anyhow) {
        message.last_event = append_move(writer, message, message.state, change);
    }
    if (!is_waiting(state) && state != MessageState::uncertain) {
        message.due_at.reset();
    }
    message.updated_at = std::max(message.updated_at, change.at);
    message.partial = !message.segments.empty() && is_partial(states_of(message.segments));
    save_segments(writer.db, message);
    save_row(writer.db, message);
    save_waiting(writer.db, message);
    if (message.part_set != PartSetId{}) {
        follow_part(writer, message, change.at);
    }
}

void settle_attempts(Connection& db, const MessageRecord& message) {
    AttemptId id = message.last_attempt;
    while (id != AttemptId{}) {
        db.run("UPDATE attempts SET pending = NULL WHERE id = ? AND pending IS NOT NULL", id);
        id = db.scalar<AttemptId>("SELECT prev FROM attempts WHERE id = ?", {}, id);
    }
}

}  // namespace smsrack::db
