#include "db/upkeep/message_removal.hpp"

#include "db/read/message_record.hpp"
#include "db/upkeep/webhook_losses.hpp"
#include "db/write/attempt_notes.hpp"
#include "db/write/fleet_places.hpp"
#include "db/write/parts.hpp"

#include <tuple>

namespace smsrack::db {

std::vector<EventSeq> remove_message(Connection& db, const OldMessage& message,
                                     WebhookLosses& losses) {
    const MessageId id = message.id;
    std::vector<EventSeq> events{EventSeq{id.value}};
    const MessageId origin = (message.flags & flag_shared) != 0 ? origin_of(db, id) : MessageId{};
    losses.removed({.seq = events.front(),
                    .origin = origin,
                    .client = message.client,
                    .state = first_state(message.flags)});
    AttemptId attempt = message.attempt;
    while (attempt != AttemptId{}) {
        const auto prev =
            db.scalar<AttemptId>("SELECT prev FROM attempts WHERE id = ?", {}, attempt);
        remove_notes(db, attempt);
        db.run("DELETE FROM attempts WHERE id = ?", attempt);
        attempt = prev;
    }
    for (Event event{.seq = message.event, .origin = origin, .client = message.client};
         event.seq != EventSeq{};) {
        EventSeq prev;
        if (!db.first(std::tie(prev, event.type, event.state),
                      "SELECT prev, type, state FROM events WHERE seq = ?", event.seq)) {
            break;  // removed for its age before, and all that came before it
        }
        events.push_back(event.seq);
        losses.removed(event);
        db.run("DELETE FROM events WHERE seq = ?", event.seq);
        event.seq = prev;
    }
    db.run("DELETE FROM segments WHERE message = ?", id);
    db.run("DELETE FROM messages WHERE id = ?", id);
    if ((message.flags & flag_shared) != 0) {
        remove_place(db, id);
    }
    if (message.part_set) {
        remove_part_set(db, *message.part_set);
    }
    return events;
}

}  // namespace smsrack::db
