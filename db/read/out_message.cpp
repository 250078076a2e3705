#include "db/read/out_message.hpp"

#include "db/read/message_record.hpp"
#include "db/read/message_times.hpp"
#include "db/read/recipient_sims.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace smsrack::db {
namespace {

void name_sim(OutMessage& message, SimId sim) {
    message.sticky = true;
    message.sim_is_named = true;
    message.known_sim = sim;
}

OutMessage read_out_message(const Rows& row) {
    OutMessage m;
    BodyColumns body;
    ClientId client;
    std::optional<PartSetId> part_set;
    std::optional<SimId> by_sim;
    MessageTimes times;
    std::int32_t topic = 0;
    WalkColumns walk;
    row.read(m.id, m.level, m.group, times.created_at, times.queued_at, m.queued_by,
             times.expires_at, m.attempts, m.failures, m.concat_ref, m.pinned_sim, body.to,
             body.body, body.flags, body.message_class, body.ports, m.batch, client, part_set,
             body.part, body.elements, body.pid, by_sim, topic, walk.after, walk.until, walk.shift,
             walk.life_least);
    times.flags = body.flags;
    times.has_topic = topic != 0;
    if (const auto move = walk.move()) {
        times = moved(times, *move);
    }
    m.created_at = times.created_at;
    m.queued_at = times.queued_at.value_or(times.created_at);
    m.expires_at = times.expires_at;
    m.part_set = part_set.value_or(PartSetId{});
    m.self_sms = client == rack_itself;
    m.scheduled = (body.flags & (flag_scheduled | flag_waits_for_parts)) == flag_scheduled;
    m.sticky = (body.flags & flag_sticky) != 0;
    if (by_sim) {
        name_sim(m, *by_sim);
    }
    m.body = body_of(std::move(body));
    return m;
}

std::vector<PastAttempt> past_attempts(Connection& db, MessageId id) {
    std::vector<PastAttempt> past;
    auto attempt = db.scalar<AttemptId>("SELECT last_attempt FROM messages WHERE id = ?", {}, id);
    while (attempt != AttemptId{} && past.size() < past_attempts_max) {
        PastAttempt p;
        if (!db.first(
                std::tie(p.segment, p.outcome, p.cause.kind, p.cause.code, attempt),
                "SELECT segment, outcome, cause_kind, cause_code, prev FROM attempts WHERE id = ?",
                attempt)) {
            break;
        }
        past.push_back(p);
    }
    return past;
}

/// A part goes by the SIM and with the reference of those before it.
void add_part_set(Connection& db, OutMessage& message) {
    std::optional<std::uint16_t> ref;
    SimId sim;
    (void)db.first(std::tie(ref, sim), "SELECT ref, sim FROM part_sets WHERE id = ?",
                   message.part_set);
    if (!message.concat_ref) {
        message.concat_ref = ref;
    }
    if (sim != SimId{}) {
        name_sim(message, sim);
    }
}

void add_known_sim(Connection& db, OutMessage& message) {
    if (message.sticky && !message.sim_is_named) {
        message.known_sim = known_sim(db, message.body.to);
    }
    if (message.part_set != PartSetId{}) {
        add_part_set(db, message);
    }
}

/// Those that have queued messages of this group and level (none: 0 is one too), less the held ones. One look into the
/// index for each, however many messages it has.
std::vector<BatchId> batches_to_send(Connection& db, GroupId group, Level level) {
    std::vector<BatchId> batches;
    std::optional<BatchId> last = BatchId{-1};
    for (;;) {
        last = db.scalar<std::optional<BatchId>>(
            "SELECT min(batch) FROM messages INDEXED BY messages_queued WHERE state = 1 AND grp = "
            "? AND level = ? AND batch > ?",
            std::nullopt, group, level, *last);
        if (!last) {
            return batches;
        }
        const bool held = db.scalar<bool>(
            "SELECT paused_at IS NOT NULL OR cancelled_at IS NOT NULL FROM batches WHERE id = ?",
            false, *last);
        if (!held) {
            batches.push_back(*last);
        }
    }
}

}  // namespace

MessageBody body_of(BodyColumns columns) {
    MessageBody body;
    body.to = std::move(columns.to);
    body.is_data = (columns.flags & flag_octets) != 0;
    (body.is_data ? body.data : body.text) = std::move(columns.body);
    body.report = (columns.flags & flag_report) != 0;
    body.message_class = columns.message_class;
    if (columns.ports) {
        body.ports = PortAddress{.dst = static_cast<std::uint16_t>(*columns.ports >> 16U),
                                 .src = static_cast<std::uint16_t>(*columns.ports & 0xFFFFU)};
    }
    if (columns.part) {
        body.part = PartPlace{.total = static_cast<std::uint8_t>(*columns.part >> 8U),
                              .number = static_cast<std::uint8_t>(*columns.part & 0xFFU)};
    }
    body.elements = std::move(columns.elements);
    body.pid = columns.pid;
    return body;
}

std::optional<OutMessage> load_out_message(Connection& db, MessageId id) {
    auto found = db.all(
        read_out_message,
        "SELECT id, level, grp, created_at, queued_at, max(id, last_event), expires_at, attempts, "
        "failures, concat_ref, sim, to_addr, body, flags, class, ports, batch, client, part_set, "
        "part, elements, coalesce(pid, 0), by_sim, topic, w.after, w.until, w.shift, w.life_least "
        "FROM "
        "messages LEFT JOIN clock_walk w ON id < w.next AND NOT EXISTS (SELECT 1 FROM "
        "clock_walk_ahead WHERE message = id) WHERE id = ?",
        id);
    if (found.empty()) {
        return std::nullopt;
    }
    OutMessage& message = found.front();
    message.segments =
        db.column<MessageState>("SELECT state FROM segments WHERE message = ? ORDER BY idx", id);
    add_known_sim(db, message);
    message.past = past_attempts(db, id);
    return std::move(message);
}

std::vector<OutMessage> load_queued(Connection& db, GroupId group, Level level, EventSeq after,
                                    std::size_t limit) {
    std::vector<OutMessage> messages;
    for (const BatchId batch : batches_to_send(db, group, level)) {
        Rows rows = db.query(queued_sql, group, level, batch, after, limit);
        while (rows.next()) {
            messages.push_back(read_out_message(rows));
        }
    }
    std::ranges::sort(messages, {}, &OutMessage::queued_by);
    messages.resize(std::min(messages.size(), limit));
    for (OutMessage& message : messages) {
        add_known_sim(db, message);
    }
    return messages;
}

}  // namespace smsrack::db
