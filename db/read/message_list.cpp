#include "db/read/message_list.hpp"

#include "db/engine/hash_index.hpp"
#include "db/read/first_since.hpp"
#include "db/read/out_message.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace smsrack::db {
namespace {

// A state with fewer messages is read through its index and sorted; with more, the walk back soon
// meets them.
constexpr std::int64_t rare_state_max = 20'000;

ports::MessageRow to_row(const Rows& row) {
    ports::MessageRow m;
    BodyColumns body;
    row.read(m.id, m.state, m.level, m.segments, m.modem, m.group, m.ref, m.created_at,
             m.updated_at, m.expires_at, m.due_at, m.partial, m.cause.kind, m.cause.code, m.detail,
             body.to, body.body, body.flags, body.message_class, body.ports, m.batch, m.client,
             m.owner, m.note, body.part, body.elements, body.pid, m.origin);
    m.body = body_of(std::move(body));
    m.to = m.body.to;
    return m;
}

bool fits(const ports::MessageRow& row, const ports::MessageFilter& filter) {
    return (!filter.state || row.state == *filter.state) &&
           (!filter.level || row.level == *filter.level) &&
           (filter.group.empty() || row.group == filter.group) &&
           (filter.to.empty() || row.to == filter.to) &&
           (filter.ref.empty() || row.ref == filter.ref) &&
           (filter.batch.empty() || row.batch == filter.batch) &&
           (filter.client.empty() || row.client == filter.client) &&
           (!filter.owner || row.owner == filter.owner) &&
           (!filter.since || row.created_at >= *filter.since) &&
           (!filter.until || row.created_at < *filter.until);
}

/// Collects rows that fit, until the page is full.
class Page {
public:
    /// With `wanted`, it is full too when it has looked at search_rows_max rows.
    Page(Connection& db, const ports::MessageFilter& filter, const ports::Wanted* wanted = nullptr)
        : db_(db), filter_(filter), wanted_(wanted) {}

    /// False: the page is full.
    bool offer(MessageId id) {
        if (is_full()) {
            return false;
        }
        ++looked_at_;
        last_ = id;
        auto row = read_message(db_, id);
        if (row && fits(*row, filter_) &&
            (wanted_ == nullptr || (*wanted_)(row->to, row->body.text))) {
            if (!filter_.with_body) {
                row->body = {};
                row->note.clear();
            }
            rows_.push_back(*std::move(row));
        }
        return !is_full();
    }

    bool offer_all(Rows ids) {
        while (ids.next()) {
            if (!offer(ids.value<MessageId>())) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool is_search() const { return wanted_ != nullptr; }
    [[nodiscard]] std::vector<ports::MessageRow> take() { return std::move(rows_); }
    /// The cursor behind the last row that was looked at; 0: there are no more.
    [[nodiscard]] MessageId next() const { return is_full() ? last_ : MessageId{}; }

private:
    [[nodiscard]] bool is_full() const {
        return rows_.size() >= filter_.limit ||
               (is_search() && looked_at_ >= ports::search_rows_max);
    }

    Connection& db_;
    const ports::MessageFilter& filter_;
    const ports::Wanted* const wanted_;
    std::vector<ports::MessageRow> rows_ = {};
    std::size_t looked_at_ = 0;
    MessageId last_ = {};
};

MessageId before_of(const ports::MessageFilter& filter) {
    return filter.before == MessageId{} ? MessageId{std::numeric_limits<std::int64_t>::max()}
                                        : filter.before;
}

/// Newest of the runs' messages; what is newer is walked.
MessageId last_in_runs(Connection& db) {
    return db.scalar<MessageId>("SELECT max(last_id) FROM hash_runs WHERE done = 1", {});
}

void list_by_hash(Connection& db, const ports::MessageFilter& filter, HashKind kind,
                  std::int64_t hash, Page& page) {
    const MessageId before = before_of(filter);
    constexpr Sql of_ref =
        "SELECT id FROM messages WHERE id > ? AND id < ? AND ref = ? ORDER BY id DESC";
    constexpr Sql of_recipient =
        "SELECT id FROM messages WHERE id > ? AND id < ? AND to_addr = ? ORDER BY id DESC";
    const bool by_ref = kind == HashKind::ref;
    if (!page.offer_all(db.query(by_ref ? of_ref : of_recipient, last_in_runs(db), before,
                                 by_ref ? filter.ref : filter.to))) {
        return;
    }
    Rows runs = db.query("SELECT run FROM hash_runs WHERE done = 1 ORDER BY run DESC");
    while (runs.next()) {
        if (!page.offer_all(db.query("SELECT id FROM hash_entries WHERE run = ? AND kind = ? AND "
                                     "hash = ? AND id < ? ORDER BY id DESC",
                                     runs.value<std::int64_t>(), kind, hash, before))) {
            return;
        }
    }
}

std::int64_t count_of(Connection& db, MessageState state) {
    Rows head = db.query(
        "SELECT scheduled, queued, sending, uncertain, sent, delivered, undelivered, failed, "
        "expired, cancelled, elsewhere FROM head");
    return head.next() ? head.value<std::int64_t>(static_cast<int>(state)) : 0;
}

/// These are in order of number in their index; the others' indexes are in another order and need sorting.
bool has_sorted_index(MessageState state) {
    return state >= MessageState::sent;
}

struct IdRange {
    MessageId first;   ///< at or after
    MessageId before;  ///< below
};

/// Ids of a state by its partial index, whose condition must be in the statement as it is written there.
void list_by_state(Connection& db, MessageState state, IdRange range, Page& page) {
    constexpr Sql ended =
        "SELECT id FROM messages INDEXED BY messages_ended WHERE state >= 4 AND state = ?1 AND id "
        ">= ?2 AND id < ?3 ORDER BY id DESC";
    constexpr std::array<Sql, 4> open{
        "SELECT id FROM messages INDEXED BY messages_scheduled WHERE state = 0 AND state = ?1 AND "
        "id >= ?2 AND id < ?3 ORDER BY id DESC",
        "SELECT id FROM messages INDEXED BY messages_queued WHERE state = 1 AND state = ?1 AND id "
        ">= ?2 AND id < ?3 ORDER BY id DESC",
        "SELECT id FROM messages INDEXED BY messages_sending WHERE state = 2 AND state = ?1 AND id "
        ">= ?2 AND id < ?3 ORDER BY id DESC",
        "SELECT id FROM messages INDEXED BY messages_uncertain WHERE state = 3 AND state = ?1 AND "
        "id >= ?2 AND id < ?3 ORDER BY id DESC",
    };
    const auto place = static_cast<std::size_t>(state);
    (void)page.offer_all(
        db.query(place < open.size() ? open.at(place) : ended, state, range.first, range.before));
}

/// Offers the messages that may fit, newest first, until the page is full.
void fill(Connection& db, const ports::MessageFilter& filter, Page& page) {
    constexpr Sql first_in =
        "SELECT id, created_at FROM messages WHERE id >= ? AND id < ? ORDER BY id LIMIT 1";
    const MessageId before = before_of(filter);
    const IdRange range{
        .first = filter.since ? MessageId{first_since(db, first_in, *filter.since)} : MessageId{},
        .before = filter.until
                      ? std::min(before, MessageId{first_since(db, first_in, *filter.until)})
                      : before};
    if (!filter.ref.empty()) {
        list_by_hash(db, filter, HashKind::ref, static_cast<std::int64_t>(hash_of(filter.ref)),
                     page);
    } else if (!filter.to.empty()) {
        list_by_hash(db, filter, HashKind::recipient,
                     static_cast<std::int64_t>(recipient_hash(filter.to)), page);
    } else if (!filter.batch.empty()) {
        page.offer_all(db.query(
            "SELECT id FROM messages INDEXED BY messages_batch WHERE batch <> 0 AND batch = "
            "(SELECT id FROM batches WHERE name = ?) AND id >= ? AND id < ? ORDER BY id DESC",
            filter.batch, range.first, range.before));
    } else if (!filter.client.empty()) {
        page.offer_all(db.query(
            "SELECT m.id FROM clients c JOIN messages m INDEXED BY messages_client ON m.client <> "
            "0 AND m.client = c.id WHERE c.name = ? AND m.id >= ? AND m.id < ? ORDER BY m.id DESC",
            filter.client, range.first, range.before));
    } else if (filter.owner) {
        page.offer_all(
            db.query("SELECT id FROM messages INDEXED BY messages_owner WHERE owner > 0 AND owner "
                     "= ? AND id >= ? AND id < ? ORDER BY id DESC",
                     *filter.owner, range.first, range.before));
    } else if (filter.state &&
               (has_sorted_index(*filter.state) || count_of(db, *filter.state) <= rare_state_max)) {
        list_by_state(db, *filter.state, range, page);
    } else {
        // A search counts the rows that it passes by, so these are looked at by the page.
        page.offer_all(
            db.query("SELECT id FROM messages WHERE id >= ?1 AND id < ?2 AND (?3 IS NULL OR state "
                     "= ?3) ORDER BY id DESC",
                     range.first, range.before, page.is_search() ? std::nullopt : filter.state));
    }
}

}  // namespace

std::optional<ports::MessageRow> read_message(Connection& db, MessageId id) {
    Rows row = db.query(
        "SELECT m.id, m.state, m.level, m.segments, m.modem, g.name, m.ref, m.created_at, "
        "m.updated_at, m.expires_at, m.due_at, m.partial, m.cause_kind, m.cause_code, m.detail, "
        "m.to_addr, m.body, m.flags, m.class, m.ports, b.name, c.name, m.owner, m.note, m.part, "
        "m.elements, coalesce(m.pid, 0), CASE WHEN m.flags & 32 THEN (SELECT origin FROM "
        "fleet_messages f WHERE f.id = m.id) END FROM messages m "
        "LEFT JOIN groups g ON g.id = m.grp LEFT JOIN batches b ON b.id = m.batch LEFT JOIN "
        "clients c ON c.id = m.client WHERE m.id = ?",
        id);
    return row.next() ? std::optional(to_row(row)) : std::nullopt;
}

std::vector<ports::MessageRow> list_messages(Connection& db, const ports::MessageFilter& filter) {
    Page page(db, filter);
    fill(db, filter, page);
    return page.take();
}

ports::FoundMessages search_messages(Connection& db, const ports::MessageFilter& filter,
                                     const ports::Wanted& wanted) {
    Page page(db, filter, &wanted);
    fill(db, filter, page);
    const MessageId next = page.next();
    return {.rows = page.take(), .next = next};
}

}  // namespace smsrack::db
