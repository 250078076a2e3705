#include "db/anonymise.hpp"

#include "db/attempt_notes.hpp"
#include "src/sms/message_states.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace smsrack::db {
namespace {

struct OldMessage {
    MessageId id = {};
    MessageState state{};
    std::string to = {};
    AttemptId attempt = {};
    WallTime created_at = {};
    WallTime updated_at = {};
};

void strip_message(Connection& db, const OldMessage& message) {
    db.run("UPDATE messages SET to_addr = ?, body = '', ref = NULL, text_hash = NULL WHERE id = ?",
           anonymous_number(message.to), message.id);
    AttemptId attempt = message.attempt;
    while (attempt != AttemptId{}) {
        remove_notes(db, attempt);
        attempt = db.scalar<AttemptId>("SELECT prev FROM attempts WHERE id = ?", {}, attempt);
    }
}

void strip_inbox(Connection& db, InboxId id, std::string_view from) {
    const std::string number = anonymous_number(from);
    db.run("UPDATE inbox SET from_addr = ?, content = '' WHERE id = ?", number, id);
    db.run("UPDATE inbound_segments SET from_addr = ?, payload = x'', raw = x'' WHERE inbox = ?",
           number, id);
}

}  // namespace

std::string anonymous_number(std::string_view number) {
    constexpr std::size_t kept = 3;  // "+" and two digits
    return std::string(number.starts_with('+') ? number.substr(0, kept) : "") + "*";
}

std::size_t Anonymiser::messages(Connection& db, WallTime before, std::size_t limit) {
    std::vector<OldMessage> rows_read;
    {
        Rows rows = db.query(
            "SELECT id, state, to_addr, last_attempt, created_at, updated_at FROM messages WHERE "
            "id > ? ORDER BY id LIMIT ?",
            message_, limit);
        while (rows.next()) {
            OldMessage& row = rows_read.emplace_back();
            rows.read(row.id, row.state, row.to, row.attempt, row.created_at, row.updated_at);
        }
    }
    std::size_t looked_at = 0;
    for (const OldMessage& row : rows_read) {
        if (row.created_at >= before) {
            break;
        }
        ++looked_at;
        message_ = row.id;
        const bool ended = is_final(row.state) || row.state == MessageState::sent;
        if (!ended || row.updated_at >= before) {
            passed_by_ = true;
        } else if (!row.to.ends_with('*')) {
            strip_message(db, row);
        }
    }
    if (looked_at < limit && passed_by_ && before >= again_after_) {
        passed_by_ = false;
        message_ = {};
        again_after_ = before + std::chrono::hours(24);
    }
    return looked_at;
}

std::size_t Anonymiser::inbox(Connection& db, WallTime before, std::size_t limit) {
    struct Old {
        InboxId id = {};
        std::string from = {};
    };
    std::vector<Old> old;
    {
        Rows rows = db.query(
            "SELECT id, from_addr, received_at FROM inbox WHERE id > ? ORDER BY id LIMIT ?", inbox_,
            limit);
        while (rows.next()) {
            Old row;
            WallTime received_at;
            rows.read(row.id, row.from, received_at);
            if (received_at >= before) {
                break;
            }
            old.push_back(std::move(row));
        }
    }
    for (const Old& row : old) {
        inbox_ = row.id;
        if (!row.from.ends_with('*')) {
            strip_inbox(db, row.id, row.from);
        }
    }
    return old.size();
}

/// Silent messages are in no inbox, so their segments are looked for by themselves; there are few.
std::size_t Anonymiser::silent(Connection& db, WallTime before, std::size_t limit) {
    std::vector<std::pair<std::int64_t, std::string>> old;
    {
        Rows rows = db.query(
            "SELECT id, from_addr FROM inbound_segments WHERE inbox = 0 AND received_at < ? AND "
            "substr(from_addr, -1) <> '*' LIMIT ?",
            before, limit);
        while (rows.next()) {
            auto& [id, from] = old.emplace_back();
            rows.read(id, from);
        }
    }
    for (const auto& [id, from] : old) {
        db.run("UPDATE inbound_segments SET from_addr = ?, payload = x'', raw = x'' WHERE id = ?",
               anonymous_number(from), id);
    }
    return old.size();
}

std::size_t Anonymiser::step(Connection& db, const ports::Anonymise& command) {
    const auto& [messages_before, inbox_before, limit] = command;
    const std::size_t out = messages_before ? messages(db, *messages_before, limit) : 0;
    const std::size_t in = inbox_before ? inbox(db, *inbox_before, limit) : 0;
    const std::size_t of_no_inbox = inbox_before ? silent(db, *inbox_before, limit) : 0;
    return std::max({out, in, of_no_inbox});
}

std::size_t apply(Writer& writer, const ports::Anonymise& command) {
    return writer.anonymiser.step(writer.db, command);
}

}  // namespace smsrack::db
