#include "db/write/conversations.hpp"

#include "db/engine/hash_index.hpp"

#include <cstdint>
#include <tuple>

namespace smsrack::db {
namespace {

/// Messages to this number that are still there; no more than a count that anyone looks at.
std::int64_t count_sent(Writer& writer, std::string_view number) {
    constexpr std::int64_t count_max = 1'000;
    std::int64_t count = 0;
    const auto is_enough = [&](MessageId id) {
        std::string to;
        ClientId client;
        (void)writer.db.first(std::tie(to, client),
                              "SELECT to_addr, client FROM messages WHERE id = ?", id);
        count += to == number && client != rack_itself ? 1 : 0;
        return count >= count_max;
    };
    writer.hashes.find(HashKind::recipient, recipient_hash(number), WallTime{}, is_enough);
    return count;
}

}  // namespace

void note_sent(Connection& db, std::string_view number, MessageId id) {
    db.run("UPDATE conversations SET last = ?, sent = sent + 1 WHERE number = ?", id, number);
}

void note_received(Writer& writer, std::string_view number, InboxId id) {
    if (number.empty()) {
        return;
    }
    writer.db.run("UPDATE conversations SET last = ?, received = received + 1 WHERE number = ?", id,
                  number);
    if (writer.db.changed_rows() == 0) {
        writer.db.run(
            "INSERT INTO conversations (number, last, sent, received) VALUES (?, ?, ?, 1)", number,
            id, count_sent(writer, number));
    }
}

void forget_if_empty(Connection& db, std::string_view number) {
    db.run(
        "DELETE FROM conversations WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM inbox WHERE "
        "from_addr = ?1)",
        number);
}

void ConversationSweep::step(Connection& db, std::size_t limit) {
    const auto numbers = db.column<std::string>(
        "SELECT number FROM conversations WHERE number > ? ORDER BY number LIMIT ?", after_, limit);
    for (const std::string& number : numbers) {
        forget_if_empty(db, number);
    }
    after_ = numbers.size() < limit ? std::string() : numbers.back();
}

}  // namespace smsrack::db
