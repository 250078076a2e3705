#include "db/read/conversations.hpp"

#include "db/read/inbox_list.hpp"
#include "db/read/message_list.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::db {
namespace {

std::int64_t before_of(const ports::ConversationPage& page) {
    return page.before == 0 ? std::numeric_limits<std::int64_t>::max() : page.before;
}

/// The message that a conversation has as its last one, or the newest that is left of it.
std::optional<ports::Said> last_of(Connection& db, const std::string& number, std::int64_t last) {
    if (auto sent = read_message(db, MessageId{last}); sent && sent->to == number) {
        return ports::Said{*std::move(sent)};
    }
    auto received = read_inbox_row(db, InboxId{last});
    if (!received) {
        received = read_inbox_row(
            db, db.scalar<InboxId>("SELECT max(id) FROM inbox WHERE from_addr = ?", {}, number));
    }
    return received ? std::optional<ports::Said>(*std::move(received)) : std::nullopt;
}

}  // namespace

ports::FoundConversations list_conversations(Connection& db, const ports::ConversationPage& page) {
    ports::FoundConversations found;
    std::size_t read = 0;
    std::int64_t cursor = 0;
    Rows rows = db.query(
        "SELECT number, last, sent, received FROM conversations WHERE last < ? ORDER BY last DESC "
        "LIMIT ?",
        before_of(page), page.limit);
    while (rows.next()) {
        ports::Conversation row;
        rows.read(row.number, row.cursor, row.sent, row.received);
        ++read;
        cursor = row.cursor;
        if (auto said = last_of(db, row.number, row.cursor)) {
            row.last = *std::move(said);
            found.rows.push_back(std::move(row));
        }
    }
    found.next = read == page.limit ? cursor : 0;
    return found;
}

std::vector<ports::Said> list_said(Connection& db, const std::string& number,
                                   const ports::ConversationPage& page) {
    std::vector<ports::MessageRow> sent =
        list_messages(db, {.to = number, .before = MessageId{page.before}, .limit = page.limit});
    std::vector<ports::InboxRow> received =
        list_inbox_of(db, number, InboxId{before_of(page)}, page.limit);
    std::vector<ports::Said> said;
    said.reserve(sent.size() + received.size());
    std::ranges::move(sent, std::back_inserter(said));
    std::ranges::move(received, std::back_inserter(said));
    std::ranges::sort(said, std::ranges::greater(), ports::id_of_said);
    said.resize(std::min(said.size(), page.limit));
    return said;
}

}  // namespace smsrack::db
