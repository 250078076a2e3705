#include "db/write/rack_history.hpp"

#include <cstdlib>
#include <utility>

namespace smsrack::db {
namespace {

constexpr std::int64_t minutes_an_hour = 60;
// The signal of a modem at rest goes up and down by a step or two, of 2 dBm each: no row for that.
constexpr int signal_step_dbm = 4;

bool is_with_network(MessageState state) {
    return state == MessageState::sent || state == MessageState::delivered;
}

bool is_lost(MessageState state) {
    return state == MessageState::failed || state == MessageState::expired ||
           state == MessageState::undelivered;
}

/// 0 is no signal.
bool differs(int before, int now) {
    return std::abs(before - now) >= signal_step_dbm;
}

}  // namespace

void RackHistory::count(std::string_view line, std::uint64_t Counts::*what) {
    ++(batch_[""].*what);
    if (!line.empty()) {
        ++(batch_[std::string(line)].*what);
    }
}

/// A report that ends a doubt leads past `sent`, and one of a long message may say so of a part first.
void RackHistory::moved(MessageState from, MessageState to, std::string_view line) {
    if (is_with_network(to) && !is_with_network(from)) {
        count(line, &Counts::sent);
    } else if (is_lost(to) && !is_lost(from)) {
        count(line, &Counts::failed);
    }
}

void RackHistory::received(std::string_view line) {
    count(line, &Counts::received);
}

void RackHistory::write_if_over(Connection& db, WallTime now, std::int64_t waiting) {
    batch_minute_ = ports::minute_of(now);
    if (minute_ && *minute_ != batch_minute_ && !writing_) {
        write(db, waiting);
    }
}

void RackHistory::write(Connection& db, std::int64_t waiting) {
    struct Row {
        Counts counts = {};
        std::optional<std::int64_t> waiting = {};
        std::optional<int> signal = {};
    };
    Written next{.hour = *minute_ / minutes_an_hour, .waiting = waiting};
    const bool hour_begins = next.hour != written_.hour;
    std::map<std::string_view, Row> rows;
    for (const auto& [line, counts] : counts_) {
        rows[line].counts = counts;
    }
    for (const auto& [line, dbm] : signals_) {
        const int signal = dbm.value_or(0);
        const auto before = written_.signals.find(line);
        const bool is_due = hour_begins || rows.contains(line) ||
                            before == written_.signals.end() || differs(before->second, signal);
        if (is_due) {
            rows[line].signal = signal;
        }
        next.signals[line] = is_due ? signal : before->second;
    }
    if (!rows.empty() || hour_begins || next.waiting != written_.waiting) {
        rows[""].waiting = waiting;
    }
    for (const auto& [line, row] : rows) {
        db.run(
            "INSERT INTO history (span, at, line, sent, failed, received, waiting, signal) VALUES "
            "(1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET sent = sent + excluded.sent, "
            "failed = failed + excluded.failed, received = received + excluded.received, waiting = "
            "coalesce(excluded.waiting, waiting), signal = coalesce(excluded.signal, signal)",
            *minute_, line, row.counts.sent, row.counts.failed, row.counts.received, row.waiting,
            row.signal);
    }
    writing_ = std::move(next);
}

void RackHistory::committed() {
    if (writing_) {
        written_ = *std::exchange(writing_, std::nullopt);
        counts_.clear();
    }
    for (const auto& [line, counted] : batch_) {
        Counts& counts = counts_[line];
        counts.sent += counted.sent;
        counts.failed += counted.failed;
        counts.received += counted.received;
    }
    batch_.clear();
    minute_ = batch_minute_;
}

void RackHistory::rolled_back() {
    writing_.reset();
    batch_.clear();
}

void apply(Writer& writer, const ports::NoteSignals& command) {
    writer.history.note(command.lines);
}

}  // namespace smsrack::db
