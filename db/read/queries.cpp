#include "db/read/queries.hpp"

#include "db/read/conversations.hpp"
#include "db/read/event_log.hpp"
#include "db/read/expected.hpp"
#include "db/read/inbox_list.hpp"
#include "db/read/message_list.hpp"
#include "db/read/out_message.hpp"
#include "db/write/attempt_notes.hpp"
#include "db/write/batches.hpp"
#include "db/write/clients.hpp"
#include "db/write/fleet_places.hpp"
#include "db/write/opt_outs.hpp"
#include "db/write/pauses.hpp"
#include "db/write/refusals.hpp"
#include "src/sms/card_name.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace smsrack::db {
namespace {

std::vector<ports::SegmentRow> read_segments(Connection& db, MessageId id) {
    const auto read = [](const Rows& row) {
        ports::SegmentRow s;
        row.read(s.index, s.state, s.tp_mr, s.tp_status, s.reported_at, s.discharge);
        return s;
    };
    return db.all(read,
                  "SELECT idx, state, tp_mr, tp_status, reported_at, discharge FROM segments WHERE "
                  "message = ? ORDER BY idx",
                  id);
}

/// Oldest first, by the links from the newest back.
std::vector<ports::AttemptRow> read_attempts(Connection& db, MessageId id) {
    const auto read = [](const Rows& row) {
        ports::AttemptRow a;
        std::optional<std::uint8_t> tp_mr;
        row.read(a.id, a.number, a.segment, a.modem, a.started_at, a.ended_at, a.outcome.kind,
                 tp_mr, a.outcome.cause.kind, a.outcome.cause.code);
        a.outcome.has_tp_mr = tp_mr.has_value();
        a.outcome.tp_mr = tp_mr.value_or(0);
        return a;
    };
    auto attempts = db.all(
        read,
        "WITH RECURSIVE chain (id) AS (SELECT last_attempt FROM messages WHERE id = ? UNION ALL "
        "SELECT a.prev FROM chain c JOIN attempts a ON a.id = c.id) SELECT a.id, a.number, "
        "a.segment, a.modem, a.started_at, a.ended_at, a.outcome, a.tp_mr, a.cause_kind, "
        "a.cause_code FROM chain c JOIN attempts a ON a.id = c.id ORDER BY a.id",
        id);
    for (ports::AttemptRow& a : attempts) {
        a.notes = read_notes(db, a.id);
    }
    return attempts;
}

std::optional<SimCard> read_named_sim(Connection& db, MessageId id) {
    SimCard card;
    if (!db.first(
            std::tie(card.iccid, card.imsi),
            "SELECT s.iccid, s.imsi FROM messages m JOIN sims s ON s.id = m.by_sim WHERE m.id "
            "= ?",
            id)) {
        return std::nullopt;
    }
    if (card.iccid.starts_with(without_iccid)) {
        card.iccid.clear();
    }
    return card;
}

/// By the id that clients know, which another box may have given out.
std::optional<ports::MessageRow> read_shown(Connection& db, MessageId id) {
    auto row = read_message(db, id);
    return row ? std::move(row) : read_message(db, row_of(db, id));
}

template <typename T>
Result<T> found_or(std::optional<T> row, const char* what) {
    return row ? Result<T>(*std::move(row)) : fail(Errc::not_found, what);
}

}  // namespace

Queries::Queries(Connection& connection) : db_(connection) {
    [[maybe_unused]] const auto shows_later = guarded([this]() -> Result<> {
        db_.run("BEGIN");  // a failing disk shows with the first question
        return {};
    });
}

Queries::~Queries() {
    db_.roll_back();
}

Result<std::vector<OutMessage>> Queries::queued(GroupId group, Level level, EventSeq after,
                                                std::size_t limit) {
    return guarded([&] { return load_queued(db_, group, level, after, limit); });
}

/// The head of each queue: its index has it without a look at the rest.
Result<std::optional<WallTime>> Queries::longest_waiting() {
    return guarded([&] {
        std::optional<WallTime> oldest;
        const auto groups =
            db_.all([](const Rows& row) { return row.value<GroupId>(); }, "SELECT id FROM groups");
        for (const GroupId group : groups) {
            for (Level level = 0; level < level_count; ++level) {
                for (const OutMessage& head : load_queued(db_, group, level, {}, 1)) {
                    oldest = std::min(oldest.value_or(head.queued_at), head.queued_at);
                }
            }
        }
        return oldest;
    });
}

/// While a correction of the clock is walked, no scheduled one falls due: that is looked at later.
Result<std::optional<WallTime>> Queries::next_due(WallTime after) {
    constexpr std::chrono::milliseconds walk_time = std::chrono::seconds(1);
    return guarded([&] {
        return db_.scalar<std::optional<WallTime>>(
            "SELECT min(due_at) FROM (SELECT max(min(due_at), CASE WHEN EXISTS (SELECT 1 FROM "
            "clock_walk) THEN ?2 ELSE min(due_at) END) AS due_at FROM messages WHERE state = 0 "
            "UNION ALL SELECT min(due_at) FROM messages INDEXED BY messages_sending WHERE state = "
            "2 AND due_at > ?1)",
            std::nullopt, after, after + walk_time);
    });
}

Result<std::vector<ports::UncertainAttempt>> Queries::uncertain(std::optional<WallTime> overdue_at,
                                                                std::size_t limit) {
    const auto read = [](const Rows& row) {
        ports::UncertainAttempt a;
        row.read(a.attempt, a.message, a.segment, a.modem, a.sim, a.started_at, a.attempts,
                 a.recovered);
        return a;
    };
    return guarded([&] {
        return db_.all(
            read,
            "SELECT a.id, a.message, a.segment, a.modem, a.sim, a.started_at, m.attempts, "
            "a.pending = 2 FROM attempts a JOIN messages m ON m.id = a.message WHERE a.pending IN "
            "(1, 2) AND (?1 IS NULL OR m.due_at <= ?1) ORDER BY a.id LIMIT ?2",
            overdue_at, limit);
    });
}

Result<ports::Expected> Queries::expects(SimId sim, WallTime now, AttemptId settled) {
    return guarded([&] { return expected_for(db_, sim, now, settled); });
}

Result<OutMessage> Queries::out_message(MessageId id) {
    return guarded([&] { return found_or(load_out_message(db_, id), "no message has this id"); });
}

Result<std::vector<ports::MessageRow>> Queries::messages(const ports::MessageFilter& filter) {
    return guarded([&] { return list_messages(db_, filter); });
}

Result<ports::FoundMessages> Queries::find_messages(const ports::MessageFilter& filter,
                                                    const ports::Wanted& wanted) {
    return guarded([&] { return search_messages(db_, filter, wanted); });
}

Result<ports::MessageDetail> Queries::message(MessageId id) {
    return guarded([&]() -> Result<ports::MessageDetail> {
        auto row = read_shown(db_, id);
        if (!row) {
            return fail(Errc::not_found, "no message has this id");
        }
        const MessageId number = row->id;
        return ports::MessageDetail{.message = *std::move(row),
                                    .by = read_named_sim(db_, number),
                                    .segments = read_segments(db_, number),
                                    .attempts = read_attempts(db_, number),
                                    .history = read_history(db_, number),
                                    .fleet = read_standing(db_, number)};
    });
}

Result<ports::MessageRow> Queries::message_row(MessageId id) {
    return guarded([&] { return found_or(read_shown(db_, id), "no message has this id"); });
}

Result<std::vector<ports::InboxRow>> Queries::inbox(const ports::InboxFilter& filter) {
    return guarded([&] { return list_inbox(db_, filter); });
}

Result<ports::FoundInbox> Queries::find_inbox(const ports::InboxFilter& filter,
                                              const ports::Wanted& wanted) {
    return guarded([&] { return find_in_inbox(db_, filter, wanted); });
}

Result<ports::InboxRow> Queries::inbox_row(InboxId id) {
    return guarded(
        [&] { return found_or(read_inbox_row(db_, id), "no received message has this id"); });
}

Result<ports::FoundConversations> Queries::conversations(const ports::ConversationPage& page) {
    return guarded([&] { return list_conversations(db_, page); });
}

Result<std::vector<ports::Said>> Queries::said(const std::string& number,
                                               const ports::ConversationPage& page) {
    return guarded([&] { return list_said(db_, number, page); });
}

Result<std::vector<Event>> Queries::events(EventSeq after, std::size_t limit) {
    return guarded([&] { return read_events(db_, after, limit); });
}

Result<EventSeq> Queries::last_event() {
    return guarded([&] { return db_.scalar<EventSeq>("SELECT sequence FROM head", {}); });
}

Result<std::vector<ports::Pause>> Queries::pauses() {
    return guarded([&] { return read_pauses(db_); });
}

Result<std::vector<Event>> Queries::events_of(EventScope of, EventSeq after, std::size_t limit) {
    return guarded([&] { return read_events_of(db_, of, after, limit); });
}

Result<std::vector<ports::ClientRow>> Queries::clients(const std::string& after,
                                                       std::size_t limit) {
    return guarded([&] { return list_clients(db_, after, limit); });
}

Result<ports::ClientRow> Queries::client(const std::string& name) {
    return guarded([&] { return found_or(read_client(db_, name), "no client has this name"); });
}

Result<std::vector<ports::RefusalCount>> Queries::refusals(const std::string& client,
                                                           std::size_t limit) {
    return guarded([&] { return list_refusals(db_, client, limit); });
}

Result<std::map<std::string, std::int64_t>> Queries::refused_messages() {
    return guarded([&] { return sum_refusals(db_); });
}

Result<std::vector<ports::BatchRow>> Queries::batches(BatchId before, std::size_t limit) {
    return guarded([&] { return list_batches(db_, before, limit); });
}

Result<ports::BatchRow> Queries::batch(const std::string& name) {
    return guarded([&] { return found_or(read_batch(db_, name), "no message has this batch"); });
}

Result<std::vector<ports::OptOutRow>> Queries::opt_outs(const std::string& after,
                                                        std::size_t limit) {
    return guarded([&] { return list_opt_outs(db_, after, limit); });
}

Result<std::optional<ports::OptOutRow>> Queries::opt_out(const std::string& number) {
    return guarded([&] { return find_opt_out(db_, number); });
}

}  // namespace smsrack::db
