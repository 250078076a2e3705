#include "db/write/ledger.hpp"

#include "db/write/pauses.hpp"

#include <numeric>

namespace smsrack::db {
namespace {

/// The rows of a statement (group, level, segments).
std::map<GroupId, ports::LevelCounts> read_counts(Connection& db, Sql sql) {
    std::map<GroupId, ports::LevelCounts> counts;
    for (const auto& [group, level, segments] : db.tuples<GroupId, Level, std::int64_t>(sql)) {
        counts[group].at(level) = segments;
    }
    return counts;
}

/// No message waits behind those: the lines pass them by. Only batches that have work have rows.
std::map<GroupId, ports::LevelCounts> read_held_work(Connection& db) {
    return read_counts(
        db,
        "SELECT w.grp, w.level, sum(w.segments) FROM batch_work w JOIN batches b ON b.id = w.batch "
        "WHERE b.paused_at IS NOT NULL OR b.cancelled_at IS NOT NULL GROUP BY w.grp, w.level");
}

}  // namespace

Ledger::Ledger(Connection& connection) : connection_(connection) {
    Rows head = connection.query(
        "SELECT sequence, scheduled, queued, sending, uncertain, sent, delivered, undelivered, "
        "failed, expired, cancelled, elsewhere, queued_0, queued_1, queued_2, queued_3, queued_4, "
        "queued_5, queued_6 FROM head");
    if (!head.next()) {
        throw StorageFailure{damage("the table head is empty")};
    }
    auto& c = counts_.states;
    auto& q = counts_.queued;
    head.read(sequence_, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], q[0],
              q[1], q[2], q[3], q[4], q[5], q[6]);
    sequence_written_ = sequence_;
    batch_counts_ = counts_;
    read_work();
}

void Ledger::read_work() {
    group_work_ = read_counts(connection_, "SELECT grp, level, segments FROM work");
    pauses_ = read_pauses(connection_);
    note_held();
    held_work_ = read_held_work(connection_);
}

/// Those that `pauses_` names.
void Ledger::note_held() {
    held_.clear();
    for (const ports::Pause& pause : pauses_) {
        if (pause.scope == ports::PauseScope::batch) {
            held_.insert(pause.batch);
        }
    }
}

void Ledger::count(MessageState state, Level level, std::int64_t by) {
    batch_counts_.states.at(static_cast<std::size_t>(state)) += by;
    if (state == MessageState::queued) {
        batch_counts_.queued.at(level) += by;
    }
}

void Ledger::count(BatchId batch, MessageState state, std::int64_t by) {
    if (batch != BatchId{}) {
        batches_[batch].at(static_cast<std::size_t>(state)) += by;
    }
}

void Ledger::write_batches() {
    for (const auto& [batch, c] : batches_) {
        connection_.run(
            "UPDATE batches SET scheduled = scheduled + ?, queued = queued + ?, sending = sending "
            "+ ?, uncertain = uncertain + ?, sent = sent + ?, delivered = delivered + ?, "
            "undelivered = undelivered + ?, failed = failed + ?, expired = expired + ?, cancelled "
            "= cancelled + ?, elsewhere = elsewhere + ? WHERE id = ?",
            c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], batch);
    }
    batches_.clear();
}

void Ledger::count(ClientId client, const ClientMove& by) {
    if (client != ClientId{}) {
        ClientMove& move = clients_[client];
        move.buffered += by.buffered;
        move.waiting += by.waiting;
        move.lost += by.lost;
    }
}

void Ledger::count(ClientId client, MessageState state, std::int64_t by) {
    if (awaits_end(state)) {
        count(client, {.waiting = by});
    }
}

Ledger::ClientMove Ledger::moved(ClientId client) const {
    const auto found = clients_.find(client);
    return found == clients_.end() ? ClientMove{} : found->second;
}

void Ledger::write_clients() {
    for (const auto& [client, move] : clients_) {
        connection_.run(
            "UPDATE clients SET buffered = buffered + ?, waiting = waiting + ?, lost = lost + ? "
            "WHERE id = ?",
            move.buffered, move.waiting, move.lost, client);
    }
    clients_.clear();
}

void Ledger::notice(WallTime at, std::string detail) {
    (void)append({.at = at, .type = EventType::service_notice, .detail = std::move(detail)}, {});
}

std::int64_t Ledger::waiting() const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < message_state_count; ++i) {
        sum += awaits_end(static_cast<MessageState>(i)) ? batch_counts_.states.at(i) : 0;
    }
    return sum;
}

EventSeq Ledger::append(Event event, EventSeq prev) {
    event.seq = EventSeq{next_number()};
    count(event.client, {.buffered = 1});
    connection_.run(
        "INSERT INTO events (seq, at, type, message, inbox, state, modem, segment, attempt, "
        "cause_kind, cause_code, detail, prev, client, owner, answers) VALUES (?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        event.seq, event.at, event.type, event.message, event.inbox, event.state,
        unless_empty(event.modem), event.segment, event.attempt, event.cause.kind, event.cause.code,
        unless_empty(event.detail), prev, event.client, event.owner,
        event.type == EventType::message_received ? std::optional(event.answers) : std::nullopt);
    events_.push_back(std::move(event));
    return events_.back().seq;
}

void Ledger::append_received(WallTime at, ports::InboxRow row, ClientId answers) {
    (void)append({.at = at,
                  .type = EventType::message_received,
                  .inbox = row.id,
                  .answers = answers,
                  .modem = row.modem},
                 {});
    received_.push_back(std::move(row));
}

void Ledger::begin() {
    batch_counts_ = counts_;  // only this thread writes counts_
    events_.clear();
    received_.clear();
    work_.clear();
    batch_work_moved_.clear();
    work_of_batches_moved_.clear();
    batches_.clear();
    clients_.clear();
    pauses_changed_ = false;
    held_work_then_.reset();
}

/// One row for each group and level that this batch changed.
void Ledger::write_work() {
    for (const auto& [place, segments] : batch_work_moved_) {
        if (segments != 0) {
            connection_.run(
                "INSERT INTO work (grp, level, segments) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE "
                "SET segments = segments + ?3",
                place.first, place.second, segments);
        }
    }
    for (const auto& [key, segments] : work_of_batches_moved_) {
        const auto& [batch, place] = key;
        if (segments == 0) {
            continue;
        }
        connection_.run(
            "INSERT INTO batch_work (batch, grp, level, segments) VALUES (?1, ?2, ?3, ?4) ON "
            "CONFLICT DO UPDATE SET segments = segments + ?4",
            batch, place.first, place.second, segments);
        connection_.run(
            "DELETE FROM batch_work WHERE batch = ? AND grp = ? AND level = ? AND segments = 0",
            batch, place.first, place.second);
    }
}

/// A cancelled batch holds nothing back once its last message has ended.
void Ledger::look_at_held() {
    const bool moved = std::ranges::any_of(
        batches_, [this](const auto& changed) { return held_.contains(changed.first); });
    write_batches();
    if (moved && !pauses_changed_) {
        const auto pauses = read_pauses(connection_);
        pauses_changed_ = std::ranges::count(pauses, ports::PauseScope::batch,
                                             &ports::Pause::scope) != std::ssize(held_);
    }
}

void Ledger::write_head() {
    write_work();
    look_at_held();
    write_clients();
    if (pauses_changed_) {
        pauses_ = read_pauses(connection_);
    }
    const bool held_moved = std::ranges::any_of(work_of_batches_moved_, [this](const auto& moved) {
        return held_.contains(moved.first.first);
    });
    if (pauses_changed_ || held_moved) {
        held_work_then_ = read_held_work(connection_);
    }
    if (sequence_ == sequence_written_ && batch_counts_ == counts_) {
        return;
    }
    const auto& c = batch_counts_.states;
    const auto& q = batch_counts_.queued;
    connection_.run(
        "UPDATE head SET sequence = ?, scheduled = ?, queued = ?, sending = ?, uncertain = ?, sent "
        "= ?, delivered = ?, undelivered = ?, failed = ?, expired = ?, cancelled = ?, elsewhere = "
        "?, queued_0 = ?, queued_1 = ?, queued_2 = ?, queued_3 = ?, queued_4 = ?, queued_5 = ?, "
        "queued_6 = ?",
        sequence_, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], q[0], q[1],
        q[2], q[3], q[4], q[5], q[6]);
}

void Ledger::committed() {
    sequence_written_ = sequence_;
    const std::lock_guard lock(mutex_);
    counts_ = batch_counts_;
    for (const auto& [place, segments] : batch_work_moved_) {
        group_work_[place.first].at(place.second) += segments;
    }
    batch_work_moved_.clear();
    work_of_batches_moved_.clear();
    if (pauses_changed_) {
        note_held();
    }
    if (held_work_then_) {
        held_work_ = *std::exchange(held_work_then_, std::nullopt);
    }
}

void Ledger::tell(ports::StoreListener& listener) {
    if (!events_.empty()) {
        listener.committed(events_, received_);
    }
    for (const auto& [place, message] : work_) {
        listener.work_waits(place.first, place.second);
    }
    if (pauses_changed_) {
        listener.pauses_changed(pauses_);
    }
}

ports::StateCounts Ledger::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_.states;
}

ports::LevelCounts Ledger::queued() const {
    const std::lock_guard lock(mutex_);
    return counts_.queued;
}

std::int64_t Ledger::queued_messages() const {
    const ports::LevelCounts levels = queued();
    return std::accumulate(levels.begin(), levels.end(), std::int64_t{0});
}

ports::LevelCounts Ledger::work(GroupId group) const {
    const std::lock_guard lock(mutex_);
    const auto found = group_work_.find(group);
    if (found == group_work_.end()) {
        return {};
    }
    ports::LevelCounts work = found->second;
    if (const auto held = held_work_.find(group); held != held_work_.end()) {
        for (Level level = 0; level < level_count; ++level) {
            work.at(level) -= held->second.at(level);
        }
    }
    return work;
}

}  // namespace smsrack::db
