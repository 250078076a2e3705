#include "db/engine/hash_index.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace smsrack::db {
namespace {

constexpr std::size_t subscriber_digits = 7;
// Entries written with a batch, besides thrice those it added: a run is done long before the next
// one is full.
constexpr std::size_t entries_per_step = 64;

std::int64_t stored(std::uint64_t hash) {
    return static_cast<std::int64_t>(hash);
}

std::uint64_t filter_hash(HashKind kind, std::int64_t hash) {
    return static_cast<std::uint64_t>(hash) +
           static_cast<std::uint64_t>(kind) * 0x9E3779B97F4A7C15U;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::uint64_t hash_of(std::string_view bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t recipient_hash(std::string_view number) {
    std::string digits;
    std::string all;
    for (const char c : number) {
        if (is_digit(c)) {
            digits.push_back(c);
        }
        if (is_digit(c) || is_letter(c)) {
            all.push_back(is_letter(c) ? static_cast<char>(c | 0x20) : c);
        }
    }
    if (digits.size() == all.size() && digits.size() > subscriber_digits) {
        return hash_of(std::string_view(digits).substr(digits.size() - subscriber_digits));
    }
    return hash_of(all);
}

HashIndex::HashIndex(Connection& connection, const Limits& limits)
    : connection_(connection), limits_(limits) {
    if (!connection.is_read_only()) {
        drop_unfinished();
    }
    read_runs();
    read_recent();
}

void HashIndex::drop_unfinished() {
    connection_.run(
        "DELETE FROM hash_entries WHERE run IN (SELECT run FROM hash_runs WHERE done = 0)");
    connection_.run("DELETE FROM hash_runs WHERE done = 0");
}

void HashIndex::read_runs() {
    Rows rows =
        connection_.query("SELECT run, last_id, newest_at, filter FROM hash_runs ORDER BY run");
    while (rows.next()) {
        Run& run = runs_.emplace_back();
        std::string filter;
        rows.read(run.number, run.last_id, run.newest_at, filter);
        run.filter = Bloom(filter);
        if (runs_.size() > limits_.filters_max) {
            runs_[runs_.size() - 1 - limits_.filters_max].filter = Bloom();
        }
    }
}

void HashIndex::read_recent() {
    const MessageId known = runs_.empty() ? MessageId{} : runs_.back().last_id;
    Rows rows = connection_.query(
        "SELECT id, created_at, ref, to_addr, text_hash FROM messages WHERE id > ? ORDER BY id",
        known);
    while (rows.next()) {
        MessageId id;
        WallTime at;
        std::string ref;
        std::string to;
        std::optional<std::int64_t> text_hash;
        rows.read(id, at, ref, to, text_hash);
        if (!ref.empty()) {
            add(HashKind::ref, hash_of(ref), id);
        }
        add(HashKind::recipient, recipient_hash(to), id);
        if (text_hash) {
            add(HashKind::text, static_cast<std::uint64_t>(*text_hash), id);
        }
        added(id, at);
    }
    added_in_batch_ = 0;
}

void HashIndex::add(HashKind kind, std::uint64_t hash, MessageId id) {
    recent_.add({.kind = kind, .hash = stored(hash), .id = id});
    ++added_in_batch_;
}

void HashIndex::added(MessageId id, WallTime at) {
    ++recent_messages_;
    recent_last_ = id;
    recent_at_ = std::max(recent_at_, at);
}

bool HashIndex::find(HashKind kind, std::uint64_t hash, WallTime since,
                     const std::function<bool(MessageId)>& match) {
    const std::int64_t key = stored(hash);
    if (recent_.find(kind, key, match)) {
        return true;
    }
    const auto range = std::ranges::equal_range(
        frozen_, std::pair(kind, key), {},
        [](const HashEntry& entry) { return std::pair(entry.kind, entry.hash); });
    for (auto entry = range.end(); entry != range.begin();) {
        if (match((--entry)->id)) {
            return true;
        }
    }
    const BloomKey in_filter(filter_hash(kind, key));
    for (auto run = runs_.rbegin(); run != runs_.rend() && run->newest_at >= since; ++run) {
        if (run->filter.may_hold(in_filter) && find_in_run(*run, kind, hash, match)) {
            return true;
        }
    }
    return false;
}

bool HashIndex::find_in_run(const Run& run, HashKind kind, std::uint64_t hash,
                            const std::function<bool(MessageId)>& match) {
    Rows rows = connection_.query(
        "SELECT id FROM hash_entries WHERE run = ? AND kind = ? AND hash = ? ORDER BY id DESC",
        run.number, kind, stored(hash));
    while (rows.next()) {
        if (match(rows.value<MessageId>())) {
            return true;
        }
    }
    return false;
}

void HashIndex::freeze() {
    frozen_ = recent_.take_sorted();
    writing_ = Run{.number = recent_last_.value,
                   .last_id = recent_last_,
                   .newest_at = recent_at_,
                   .filter = Bloom(frozen_.size())};
    recent_messages_ = 0;
    written_ = 0;
    written_committed_ = 0;
}

void HashIndex::write_step() {
    if (frozen_.empty() && recent_messages_ >= limits_.run_messages) {
        freeze();
    }
    if (frozen_.empty()) {
        return;
    }
    if (written_ == 0) {
        connection_.run(
            "INSERT OR REPLACE INTO hash_runs (run, last_id, newest_at, done, filter) VALUES (?, "
            "?, ?, 0, x'')",
            writing_.number, writing_.last_id, writing_.newest_at);
    }
    const std::size_t end =
        std::min(frozen_.size(), written_ + entries_per_step + 3 * added_in_batch_);
    for (; written_ < end; ++written_) {
        const HashEntry& entry = frozen_[written_];
        connection_.run("INSERT INTO hash_entries (run, kind, hash, id) VALUES (?, ?, ?, ?)",
                        writing_.number, entry.kind, entry.hash, entry.id);
        writing_.filter.add(filter_hash(entry.kind, entry.hash));
    }
    if (written_ == frozen_.size()) {
        connection_.run("UPDATE hash_runs SET done = 1, filter = ? WHERE run = ?",
                        Octets{writing_.filter.bytes()}, writing_.number);
    }
}

void HashIndex::committed() {
    added_in_batch_ = 0;
    written_committed_ = written_;
    if (!frozen_.empty() && written_ == frozen_.size()) {
        runs_.push_back(std::move(writing_));
        if (runs_.size() > limits_.filters_max) {
            runs_[runs_.size() - 1 - limits_.filters_max].filter = Bloom();
        }
        frozen_ = std::vector<HashEntry>();  // `= {}` would keep its memory
    }
}

void HashIndex::rolled_back() {
    // Entries of messages that were not kept stay: they name no row, and a caller looks at the row.
    added_in_batch_ = 0;
    written_ = written_committed_;
}

bool HashIndex::remove_step(MessageId oldest, std::size_t limit) {
    if (runs_.empty() || runs_.front().last_id >= oldest) {
        return false;
    }
    const std::int64_t run = runs_.front().number;
    connection_.run(
        "DELETE FROM hash_entries WHERE run = ?1 AND (kind, hash, id) IN (SELECT kind, hash, id "
        "FROM hash_entries WHERE run = ?1 LIMIT ?2)",
        run, limit);
    if (connection_.changed_rows() < static_cast<std::int64_t>(limit)) {
        connection_.run("DELETE FROM hash_runs WHERE run = ?", run);
        runs_.erase(runs_.begin());
    }
    return true;
}

}  // namespace smsrack::db
