#include "db/upkeep/anonymise.hpp"

#include "db/upkeep/webhook_rows.hpp"
#include "db/write/attempt_notes.hpp"
#include "db/write/conversations.hpp"
#include "src/sms/message_states.hpp"

#include <algorithm>

namespace smsrack::db {
namespace {

struct OldMessage {
    MessageId id = {};
    MessageState state{};
    std::string to = {};
    AttemptId attempt = {};
    WallTime created_at = {};
    WallTime updated_at = {};
    bool has_rest = false;  // a program before version 21 or 23 left its note or elements
};

void strip_message(Connection& db, const OldMessage& message) {
    db.run(
        "UPDATE messages SET to_addr = ?, body = '', ref = NULL, text_hash = NULL, note = NULL, "
        "elements = NULL "
        "WHERE id = ?",
        anonymous_number(message.to), message.id);
    db.run(
        "UPDATE part_sets SET open = 0, to_addr = '', key = '' WHERE open = 1 AND id = (SELECT "
        "part_set FROM messages WHERE id = ?)",
        message.id);
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
    forget_if_empty(db, from);
}

}  // namespace

std::string anonymous_number(std::string_view number) {
    constexpr std::size_t kept = 3;  // "+" and two digits
    return std::string(number.starts_with('+') ? number.substr(0, kept) : "") + "*";
}

std::size_t Anonymiser::messages(Connection& db, WallTime before, std::size_t limit) {
    const auto read = [](const Rows& row) {
        OldMessage m;
        row.read(m.id, m.state, m.to, m.attempt, m.created_at, m.updated_at, m.has_rest);
        return m;
    };
    std::size_t looked_at = 0;
    for (const OldMessage& row : db.all(read,
                                        "SELECT id, state, to_addr, last_attempt, created_at, "
                                        "updated_at, note IS NOT NULL OR elements IS NOT NULL FROM "
                                        "messages WHERE id > ? ORDER BY id LIMIT ?",
                                        message_, limit)) {
        if (row.created_at >= before) {
            break;
        }
        ++looked_at;
        message_ = row.id;
        const bool ended = is_final(row.state) || row.state == MessageState::sent;
        if (!ended || row.updated_at >= before) {
            passed_by_ = true;
        } else if (!row.to.ends_with('*') || row.has_rest) {
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
    std::size_t old = 0;
    for (const auto& [id, from, received_at] : db.tuples<InboxId, std::string, WallTime>(
             "SELECT id, from_addr, received_at FROM inbox WHERE id > ? ORDER BY id LIMIT ?",
             inbox_, limit)) {
        if (received_at >= before) {
            break;
        }
        ++old;
        inbox_ = id;
        if (!from.ends_with('*')) {
            strip_inbox(db, id, from);
        }
    }
    return old;
}

/// Silent messages are in no inbox, so their segments are looked for by themselves; there are few.
std::size_t Anonymiser::silent(Connection& db, WallTime before, std::size_t limit) {
    const auto old = db.tuples<std::int64_t, std::string>(
        "SELECT id, from_addr FROM inbound_segments WHERE inbox = 0 AND received_at < ? AND "
        "substr(from_addr, -1) <> '*' LIMIT ?",
        before, limit);
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
    // Events are about both, so the longer time counts where there are two.
    const bool both = messages_before && inbox_before;
    const auto before = both              ? std::min(*messages_before, *inbox_before)
                        : messages_before ? messages_before
                                          : inbox_before;
    const std::size_t of_webhooks = before ? strip_deliveries(db, *before, limit) : 0;
    const std::size_t of_receivers = before ? strip_answers(db, *before, limit) : 0;
    return std::max({out, in, of_no_inbox, of_webhooks, of_receivers});
}

std::size_t apply(Writer& writer, const ports::Anonymise& command) {
    return writer.anonymiser.step(writer.db, command);
}

}  // namespace smsrack::db
