#include "db/write/replacing.hpp"

#include "db/write/clock_walk.hpp"
#include "db/write/fleet_places.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

namespace smsrack::db {
namespace {

constexpr std::string_view replaced = "replaced";  // detail of the event

bool is_untouched(const MessageRecord& message) {
    return message.segments.empty() && !message.in_hand &&
           (message.state == MessageState::scheduled || message.state == MessageState::queued);
}

// Each replacement is an event that is kept as long as the message, and a longer way to the events before it.
constexpr int replacements_max = 16;

int replacements_of(Connection& db, const MessageRecord& message) {
    int count = 0;
    EventSeq seq = message.last_event;
    while (seq != EventSeq{}) {
        std::string detail;
        if (!db.first(std::tie(seq, detail), "SELECT prev, detail FROM events WHERE seq = ?",
                      seq)) {
            break;  // removed for its age
        }
        count += detail == replaced ? 1 : 0;
    }
    return count;
}

/// From when on its time to live counts.
WallTime begin_of(const MessageRecord& message, const ports::ReplaceMessage& command) {
    return std::max(command.at, message.due_at.value_or(command.at));
}

void set_flag(MessageRecord& message, std::uint8_t flag, bool is_set) {
    message.flags = static_cast<std::uint8_t>((message.flags & ~flag) | (is_set ? flag : 0));
}

/// The duplicate window knows neither the text before nor this one.
void save_content(Connection& db, const MessageRecord& message,
                  const ports::ReplaceMessage& command, std::chrono::milliseconds later) {
    const auto save = [&](const auto& content) {
        db.run("UPDATE messages SET body = ?, flags = ?, text_hash = NULL WHERE id = ?", content,
               message.flags, message.id);
    };
    if (command.body.is_data) {
        save(Octets{command.body.data});
    } else {
        save(command.body.text);
    }
    if (command.note) {
        db.run("UPDATE messages SET note = ? WHERE id = ?", unless_empty(*command.note),
               message.id);
    }
    if (command.ttl) {
        db.run("UPDATE messages SET expires_at = ? WHERE id = ?",
               begin_of(message, command) + *command.ttl, message.id);
    } else if (later.count() != 0) {
        db.run("UPDATE messages SET expires_at = expires_at + ? WHERE id = ?", later.count(),
               message.id);
    }
}

}  // namespace

bool is_outdated(const MessageRecord& message, EventSeq queued_by) {
    return message.segments.empty() && queued_by != EventSeq{} &&
           queued_by != std::max(EventSeq{message.id.value}, message.last_event);
}

Result<ports::Accepted> apply(Writer& writer, const ports::ReplaceMessage& command) {
    const MessageId id = row_of(writer.db, command.message);
    move_ahead(writer.db, id);
    auto message = load_message(writer.db, id);
    if (!message) {
        return fail(Errc::not_found, "no message has this id");
    }
    if (!is_untouched(*message)) {
        return fail(Errc::conflict, "the message is " +
                                        std::string(message_state_name(message->state)) +
                                        ": only one that was not begun is replaced");
    }
    if (message->state == MessageState::queued && (message->flags & flag_shared) != 0) {
        return fail(Errc::conflict, "the fleet has the message: cancel it and send a new one");
    }
    if (message->part_set != PartSetId{}) {
        return fail(Errc::conflict, "the message is a part of a longer one");
    }
    if (command.not_before && message->state == MessageState::queued) {
        return fail(Errc::conflict, "the message is queued already: not_before can't be changed");
    }
    if (replacements_of(writer.db, *message) >= replacements_max) {
        return fail(Errc::conflict, "the message was replaced " + std::to_string(replacements_max) +
                                        " times already: cancel it and send a new one");
    }
    // Its time to live is as long as it was.
    std::chrono::milliseconds later{0};
    if (command.not_before) {
        later = *command.not_before - message->due_at.value_or(*command.not_before);
        message->due_at = command.not_before;
    }
    if (command.note) {
        message->note = *command.note;
    }
    set_flag(*message, flag_octets, command.body.is_data);
    set_flag(*message, flag_report, command.report.value_or((message->flags & flag_report) != 0));
    message->segment_count = command.segments;
    save_content(writer.db, *message, command, later);
    save_message(writer, *message, message->state,
                 {.at = command.at, .detail = replaced, .is_told_anyhow = true});
    if (message->state == MessageState::queued) {
        writer.ledger.work_waits(message->group, message->level, message->id);
    }
    return ports::Accepted{
        .id = command.message, .state = message->state, .segments = command.segments};
}

}  // namespace smsrack::db
