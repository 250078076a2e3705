#include "db/event_log.hpp"

#include "db/message_record.hpp"

#include <algorithm>
#include <iterator>

namespace smsrack::db {
namespace {

Event first_event(const Rows& row) {
    Event event;
    std::uint8_t flags = 0;
    row.read(event.message, event.at, flags, event.client);
    event.seq = EventSeq{event.message.value};
    event.state = (flags & flag_scheduled) != 0 ? MessageState::scheduled : MessageState::queued;
    return event;
}

Event later_event(const Rows& row) {
    Event e;
    row.read(e.seq, e.at, e.type, e.message, e.inbox, e.state, e.modem, e.segment, e.attempt,
             e.cause.kind, e.cause.code, e.detail, e.client);
    return e;
}

template <typename Read>
std::vector<Event> all(Rows& rows, Read read) {
    std::vector<Event> events;
    while (rows.next()) {
        events.push_back(read(rows));
    }
    return events;
}

std::vector<Event> merged(const std::vector<Event>& first, const std::vector<Event>& later,
                          std::size_t limit) {
    std::vector<Event> both;
    both.reserve(first.size() + later.size());
    std::ranges::merge(first, later, std::back_inserter(both), {}, &Event::seq, &Event::seq);
    both.resize(std::min(both.size(), limit));
    return both;
}

}  // namespace

std::vector<Event> read_events(Connection& db, EventSeq after, std::size_t limit) {
    std::vector<Event> first;
    std::vector<Event> later;
    {
        Rows rows = db.query(
            "SELECT id, created_at, flags, client FROM messages WHERE id > ? AND client <> ? ORDER "
            "BY "
            "id LIMIT ?",
            after, rack_itself, limit);
        first = all(rows, first_event);
    }
    {
        Rows rows = db.query(
            "SELECT seq, at, type, message, inbox, state, modem, segment, attempt, cause_kind, "
            "cause_code, "
            "detail, client FROM events WHERE seq > ? AND client <> ? ORDER BY seq LIMIT ?",
            after, rack_itself, limit);
        later = all(rows, later_event);
    }
    return merged(first, later, limit);
}

std::vector<Event> read_events_of(Connection& db, ClientId client, EventSeq after,
                                  std::size_t limit) {
    std::vector<Event> first;
    std::vector<Event> later;
    {
        Rows rows = db.query(
            "SELECT id, created_at, flags, client FROM messages INDEXED BY messages_client WHERE "
            "client <> 0 AND client = ? AND id > ? ORDER BY id LIMIT ?",
            client, after, limit);
        first = all(rows, first_event);
    }
    {
        Rows rows = db.query(
            "SELECT seq, at, type, message, inbox, state, modem, segment, attempt, cause_kind, "
            "cause_code, "
            "detail, client FROM events INDEXED BY events_client WHERE client <> 0 AND client = ? "
            "AND seq > ? ORDER BY seq LIMIT ?",
            client, after, limit);
        later = all(rows, later_event);
    }
    return merged(first, later, limit);
}

std::vector<Event> read_history(Connection& db, MessageId id) {
    std::vector<Event> history;
    {
        Rows rows = db.query("SELECT id, created_at, flags, client FROM messages WHERE id = ?", id);
        history = all(rows, first_event);
    }
    Rows rows = db.query(
        "WITH RECURSIVE chain (seq) AS (SELECT last_event FROM messages WHERE id = ? UNION ALL "
        "SELECT e.prev FROM chain c JOIN events e ON e.seq = c.seq) "
        "SELECT e.seq, e.at, e.type, e.message, e.inbox, e.state, e.modem, e.segment, e.attempt, "
        "e.cause_kind, e.cause_code, "
        "e.detail, e.client FROM chain c JOIN events e ON e.seq = c.seq ORDER BY e.seq",
        id);
    std::ranges::move(all(rows, later_event), std::back_inserter(history));
    return history;
}

}  // namespace smsrack::db
