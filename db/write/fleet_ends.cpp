#include "db/read/message_record.hpp"
#include "db/write/fleet.hpp"
#include "db/write/fleet_places.hpp"

#include <algorithm>
#include <string>

namespace smsrack::db {
namespace {

/// This box may begin it, or has: then no other box has a say in it.
bool is_ours(const MessageRecord& message, const FleetPlace& place) {
    const bool ended_here = place.stage == FleetStage::settled && place.box == BoxNumber{};
    return place.stage == FleetStage::firm || place.stage == FleetStage::ended || ended_here ||
           !message.segments.empty();
}

bool is_reported(MessageState state) {
    return state == MessageState::elsewhere || state == MessageState::uncertain ||
           !awaits_end(state);
}

bool leads(MessageState from, MessageState to) {
    return std::ranges::any_of(message_rules, [from, to](const MessageRule& rule) {
        return rule.from == from && rule.to == to;
    });
}

}  // namespace

Result<MessageState> apply(Writer& writer, const ports::EndElsewhere& command) {
    auto message = load_message(writer.db, row_of(writer.db, command.message));
    auto place = message ? load_place(writer.db, message->id) : std::nullopt;
    if (!place) {
        return fail(Errc::not_found, "no shared message has this id");
    }
    if (is_ours(*message, *place)) {
        return fail(
            Errc::conflict,
            "the message is " + std::string(message_state_name(message->state)) + " by this box");
    }
    if (command.only_here && place->stage != FleetStage::here) {
        return fail(Errc::conflict, "the engine of the fleet may have the message");
    }
    if (command.forgets_ref) {
        writer.db.run("UPDATE messages SET ref = NULL, text_hash = NULL WHERE id = ?", message->id);
    }
    if (message->state == command.state) {
        if (command.box != BoxNumber{} && place->box != command.box) {
            place->box = command.box;
            save_place(writer.db, message->id, *place);
        }
        return message->state;
    }
    if (!is_reported(command.state) || !leads(message->state, command.state)) {
        return fail(Errc::conflict,
                    "the message is " + std::string(message_state_name(message->state)));
    }
    place->box = command.box;
    if (!awaits_end(command.state)) {
        (void)apply_event(*place, FleetEvent::ended_elsewhere);
    }
    save_place(writer.db, message->id, *place);
    message->cause = command.cause;
    message->detail = command.detail;
    save_message(writer, *message, command.state,
                 {.at = command.at,
                  .cause = command.cause,
                  .detail = command.detail,
                  .is_of_another_box = true});
    return message->state;
}

}  // namespace smsrack::db
