#include "db/read/event_log.hpp"

#include "db/read/message_record.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace smsrack::db {
namespace {

Event first_event(const Rows& row) {
    Event event;
    std::uint8_t flags = 0;
    row.read(event.message, event.at, flags, event.client, event.owner, event.to, event.note,
             event.origin);
    event.seq = EventSeq{event.message.value};
    event.state = first_state(flags);
    return event;
}

/// Reads a row; of an event of an end, the events before are looked up.
auto later_event(Connection& db) {
    return [&db](const Rows& row) {
        Event e;
        EventSeq prev;
        row.read(e.seq, e.at, e.type, e.message, e.inbox, e.state, e.modem, e.segment, e.attempt,
                 e.cause.kind, e.cause.code, e.detail, e.client, e.owner, e.to, e.note, prev,
                 e.origin);
        e.again = e.type == EventType::message_state && is_end(e) && had_ended(db, prev);
        return e;
    };
}

std::vector<Event> merged(const std::vector<Event>& first, const std::vector<Event>& later,
                          std::size_t limit) {
    std::vector<Event> both;
    both.reserve(first.size() + later.size());
    std::ranges::merge(first, later, std::back_inserter(both), {}, &Event::seq, &Event::seq);
    both.resize(std::min(both.size(), limit));
    return both;
}

/// Received messages that answer this client; 0: that answer none.
std::vector<Event> read_answers(Connection& db, ClientId client, EventSeq after,
                                std::size_t limit) {
    const auto read = [](const Rows& row) {
        Event e{.type = EventType::message_received};
        row.read(e.seq, e.at, e.inbox, e.modem, e.answers);
        return e;
    };
    return db.all(read,
                  "SELECT seq, at, inbox, modem, answers FROM events INDEXED BY events_answers "
                  "WHERE answers IS NOT NULL AND answers = ? AND seq > ? ORDER BY seq LIMIT ?",
                  client, after, limit);
}

}  // namespace

bool had_ended(Connection& db, EventSeq last) {
    Event event{.seq = last};
    EventSeq prev;
    while (db.first(std::tie(event.state, event.detail, prev),
                    "SELECT state, detail, prev FROM events WHERE seq = ?", event.seq)) {
        if (is_end(event) || event.state != MessageState::sent) {
            return is_end(event);
        }
        event.seq = prev;
    }
    return false;
}

std::vector<Event> read_events(Connection& db, EventSeq after, std::size_t limit) {
    const auto first = db.all(
        first_event,
        "SELECT id, created_at, flags, client, owner, to_addr, note, CASE WHEN flags & 32 THEN "
        "(SELECT origin FROM fleet_messages f WHERE f.id = messages.id) END FROM messages "
        "WHERE id > ? AND client <> ? ORDER BY id LIMIT ?",
        after, rack_itself, limit);
    const auto later =
        db.all(later_event(db),
               "SELECT e.seq, e.at, e.type, e.message, e.inbox, e.state, e.modem, "
               "e.segment, e.attempt, e.cause_kind, e.cause_code, e.detail, "
               "e.client, e.owner, m.to_addr, m.note, e.prev, CASE WHEN m.flags & 32 "
               "THEN (SELECT origin FROM fleet_messages f WHERE f.id = m.id) END FROM events e "
               "LEFT JOIN messages m ON "
               "m.id = e.message WHERE e.seq > ? AND e.client <> ? ORDER BY e.seq "
               "LIMIT ?",
               after, rack_itself, limit);
    return merged(first, later, limit);
}

std::vector<Event> read_events_of(Connection& db, const EventScope& of, EventSeq after,
                                  std::size_t limit) {
    SMSRACK_CHECK(!of.is_all());
    const bool by_client = of.client != ClientId{};
    const std::int64_t whose = by_client ? of.client.value : of.owner->value;
    constexpr Sql first_of_client =
        "SELECT id, created_at, flags, client, owner, to_addr, note, CASE WHEN flags & 32 THEN "
        "(SELECT origin FROM fleet_messages f WHERE f.id = messages.id) END FROM messages INDEXED "
        "BY "
        "messages_client WHERE client <> 0 AND client = ? AND id > ? ORDER BY id LIMIT ?";
    constexpr Sql first_of_owner =
        "SELECT id, created_at, flags, client, owner, to_addr, note, CASE WHEN flags & 32 THEN "
        "(SELECT origin FROM fleet_messages f WHERE f.id = messages.id) END FROM messages INDEXED "
        "BY "
        "messages_owner WHERE owner > 0 AND owner = ? AND id > ? ORDER BY id LIMIT ?";
    constexpr Sql later_of_client =
        "SELECT e.seq, e.at, e.type, e.message, e.inbox, e.state, e.modem, e.segment, e.attempt, "
        "e.cause_kind, e.cause_code, e.detail, e.client, e.owner, m.to_addr, m.note, e.prev, CASE "
        "WHEN m.flags & 32 "
        "THEN (SELECT origin FROM fleet_messages f WHERE f.id = m.id) END FROM "
        "events e "
        "INDEXED "
        "BY events_client LEFT JOIN messages m ON m.id = e.message WHERE e.client <> 0 AND "
        "e.client = ? AND e.seq > ? ORDER BY e.seq LIMIT ?";
    constexpr Sql later_of_owner =
        "SELECT e.seq, e.at, e.type, e.message, e.inbox, e.state, e.modem, e.segment, e.attempt, "
        "e.cause_kind, e.cause_code, e.detail, e.client, e.owner, m.to_addr, m.note, e.prev, CASE "
        "WHEN m.flags & 32 "
        "THEN (SELECT origin FROM fleet_messages f WHERE f.id = m.id) END FROM "
        "events e "
        "INDEXED "
        "BY events_owner LEFT JOIN messages m ON m.id = e.message WHERE e.owner > 0 AND e.owner "
        "= ? AND e.seq > ? ORDER BY e.seq LIMIT ?";
    auto events = merged(
        db.all(first_event, by_client ? first_of_client : first_of_owner, whose, after, limit),
        db.all(later_event(db), by_client ? later_of_client : later_of_owner, whose, after, limit),
        limit);
    if (of.inbox != InboxShare::none) {
        events = merged(events, read_answers(db, of.client, after, limit), limit);
    }
    if (of.inbox == InboxShare::all) {
        events = merged(events, read_answers(db, ClientId{}, after, limit), limit);
    }
    return events;
}

std::vector<Event> read_history(Connection& db, MessageId id) {
    auto history = db.all(
        first_event,
        "SELECT id, created_at, flags, client, owner, to_addr, note, CASE WHEN flags & 32 THEN "
        "(SELECT origin FROM fleet_messages f WHERE f.id = messages.id) END FROM messages WHERE id "
        "= ?",
        id);
    const auto later = db.all(
        later_event(db),
        "WITH RECURSIVE chain (seq) AS (SELECT last_event FROM messages WHERE id = ? UNION ALL "
        "SELECT e.prev FROM chain c JOIN events e ON e.seq = c.seq) SELECT e.seq, e.at, e.type, "
        "e.message, e.inbox, e.state, e.modem, e.segment, e.attempt, e.cause_kind, e.cause_code, "
        "e.detail, e.client, e.owner, m.to_addr, m.note, e.prev, CASE WHEN m.flags & 32 "
        "THEN (SELECT origin FROM fleet_messages f WHERE f.id = m.id) END FROM chain c JOIN events "
        "e ON "
        "e.seq = "
        "c.seq JOIN "
        "messages m ON m.id = e.message ORDER BY e.seq",
        id);
    std::ranges::copy(later, std::back_inserter(history));
    return history;
}

}  // namespace smsrack::db
