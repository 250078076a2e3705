#include "db/read/inbox_list.hpp"

#include "db/read/first_since.hpp"
#include "db/read/out_message.hpp"
#include "db/write/inbound_columns.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace smsrack::db {
namespace {

ports::InboxRow to_inbox_row(const Rows& row) {
    ports::InboxRow r;
    std::string content;
    std::optional<std::int64_t> ports;
    std::optional<int> waiting;
    row.read(r.id, r.from, r.to, r.modem, content, r.content.is_data, r.scts_text, r.received_at,
             r.segments, r.incomplete, r.undecodable, r.message_class, r.reply_to, ports, waiting,
             r.replaces, r.maybe_repeat);
    r.ports = ports_of(ports);
    r.waiting = waiting_of(waiting);
    (r.content.is_data ? r.content.data : r.content.text) = std::move(content);
    return r;
}

/// The rows behind the cursor, oldest first; those of other times are not walked through.
Rows rows_after(Connection& db, const ports::InboxFilter& filter, std::size_t limit) {
    constexpr Sql first_in =
        "SELECT id, received_at FROM inbox WHERE id >= ? AND id < ? ORDER BY id LIMIT 1";
    const std::int64_t first = filter.since ? first_since(db, first_in, *filter.since) : 0;
    const std::int64_t end = filter.until ? first_since(db, first_in, *filter.until)
                                          : std::numeric_limits<std::int64_t>::max();
    return db.query(
        "SELECT id, from_addr, to_addr, modem, content, typeof(content) = 'blob', scts_text, "
        "received_at, segments, incomplete, undecodable, class, reply_to, ports, waiting, "
        "replaces, maybe_repeat FROM inbox WHERE id > ?1 AND id >= ?2 AND id < ?3 AND (?4 IS NULL "
        "OR received_at >= ?4) AND (?5 IS NULL OR received_at < ?5) ORDER BY id LIMIT ?6",
        filter.after, first, end, filter.since, filter.until, limit);
}

std::size_t octets_of(const ports::InboxRow& row) {
    return row.content.text.size() + row.content.data.size();
}

}  // namespace

std::vector<ports::InboxRow> list_inbox(Connection& db, const ports::InboxFilter& filter) {
    std::vector<ports::InboxRow> page;
    Rows rows = rows_after(db, filter, filter.limit);
    std::size_t bytes = 0;
    bool full = false;
    while (!full && rows.next()) {
        full = bytes >= filter.bytes_max;
        page.push_back(to_inbox_row(rows));
        bytes += octets_of(page.back());
    }
    return page;
}

ports::FoundInbox find_in_inbox(Connection& db, const ports::InboxFilter& filter,
                                const ports::Wanted& wanted) {
    ports::FoundInbox found;
    InboxId last;
    std::size_t looked_at = 0;
    std::size_t bytes = 0;
    const auto is_full = [&] {
        return looked_at >= ports::search_rows_max || found.rows.size() >= filter.limit ||
               bytes >= filter.bytes_max;
    };
    Rows rows = rows_after(db, filter, ports::search_rows_max);
    while (!is_full() && rows.next()) {
        ports::InboxRow row = to_inbox_row(rows);
        ++looked_at;
        last = row.id;
        if (wanted(row.from, row.content.text)) {
            bytes += octets_of(row);
            found.rows.push_back(std::move(row));
        }
    }
    found.next = is_full() ? last : InboxId{};
    return found;
}

std::vector<ports::InboxRow> list_inbox_of(Connection& db, const std::string& number,
                                           InboxId before, std::size_t limit) {
    return db.all(to_inbox_row,
                  "SELECT id, from_addr, to_addr, modem, content, typeof(content) = 'blob', "
                  "scts_text, received_at, segments, incomplete, undecodable, class, reply_to, "
                  "ports, waiting, replaces, maybe_repeat FROM inbox INDEXED BY inbox_from WHERE "
                  "from_addr = ? AND id < ? ORDER BY id DESC LIMIT ?",
                  number, before, limit);
}

std::optional<ports::InboxRow> read_inbox_row(Connection& db, InboxId id) {
    Rows row = db.query(
        "SELECT id, from_addr, to_addr, modem, content, typeof(content) = 'blob', scts_text, "
        "received_at, segments, incomplete, undecodable, class, reply_to, ports, waiting, "
        "replaces, maybe_repeat FROM inbox WHERE id = ?",
        id);
    return row.next() ? std::optional(to_inbox_row(row)) : std::nullopt;
}

}  // namespace smsrack::db
