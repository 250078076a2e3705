#include "db/read/message_record.hpp"
#include "db/upkeep/message_removal.hpp"
#include "db/upkeep/webhook_losses.hpp"
#include "db/write/accepting.hpp"
#include "db/write/fleet.hpp"
#include "db/write/fleet_places.hpp"

#include <utility>

namespace smsrack::db {
namespace {

/// Its results go to the box that accepted it, and only that box answers for its ref.
NewMessage as_guest(NewMessage message) {
    message.client.clear();
    message.client_if_known = false;
    message.owner = {};
    message.ref.clear();
    message.note.clear();
    message.text_hash = 0;
    message.not_before.reset();
    message.self_sms = false;
    message.shared = true;
    return message;
}

FleetStage take_in(Writer& writer, const ports::TakenMessage& taken, Epoch epoch) {
    const MessageId known = row_of(writer.db, taken.id);
    if (known == MessageId{}) {
        const FleetPlace place{.origin = taken.id,
                               .stage = FleetStage::held,
                               .kept = Kept::cluster,
                               .epoch = epoch,
                               .box = number_of_box(taken.id)};
        insert_guest(writer, as_guest(taken.message), place);
        return place.stage;
    }
    auto place = load_place(writer.db, known);
    if (!place) {
        return FleetStage::settled;  // it is not shared: an older copy of this box has its number
    }
    if (place->stage == FleetStage::here || place->stage == FleetStage::away ||
        place->stage == FleetStage::held) {
        (void)apply_event(*place, FleetEvent::taken);
        place->epoch = epoch;
        save_place(writer.db, known, *place);
    }
    return place->stage;
}

/// False: it is not another box's, or this box has something to do with it.
bool let_go(Writer& writer, MessageId id, WebhookLosses& losses) {
    const MessageId row = row_of(writer.db, id);
    const auto place = load_place(writer.db, row);
    if (!place || place->origin == MessageId{} || place->stage != FleetStage::away) {
        return false;
    }
    const auto message = load_message(writer.db, row);
    if (!message || message->state != MessageState::elsewhere || !message->segments.empty()) {
        return false;
    }
    writer.ledger.count(message->state, message->level, -1);
    writer.ledger.count(message->batch, message->state, -1);
    (void)remove_message(writer.db,
                         {.id = row,
                          .state = message->state,
                          .event = message->last_event,
                          .batch = message->batch,
                          .flags = message->flags},
                         losses);
    return true;
}

}  // namespace

std::vector<FleetStage> apply(Writer& writer, const ports::TakeIn& command) {
    std::vector<FleetStage> stages;
    for (const ports::TakenMessage& taken : command.messages) {
        stages.push_back(take_in(writer, taken, command.epoch));
    }
    return stages;
}

std::size_t apply(Writer& writer, const ports::LetGo& command) {
    WebhookLosses losses(writer.db);
    std::size_t removed = 0;
    for (const MessageId id : command.messages) {
        removed += let_go(writer, id, losses) ? 1 : 0;
    }
    losses.write(writer.clock.wall());
    return removed;
}

}  // namespace smsrack::db
