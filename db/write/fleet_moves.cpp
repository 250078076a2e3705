#include "db/read/message_record.hpp"
#include "db/write/batches.hpp"
#include "db/write/fleet.hpp"
#include "db/write/fleet_places.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace smsrack::db {
namespace {

/// A message that boxes share, with its row and its place.
struct Shared {
    MessageRecord message;
    FleetPlace place;
};

std::optional<Shared> load_shared(Connection& db, MessageId id) {
    auto message = load_message(db, row_of(db, id));
    const auto place = message ? load_place(db, message->id) : std::nullopt;
    return place ? std::optional(Shared{.message = *std::move(message), .place = *place})
                 : std::nullopt;
}

/// Of those that are not begun here and may not be: else only `kept` is noted.
bool follows_engine(FleetStage stage) {
    return stage == FleetStage::here || stage == FleetStage::away || stage == FleetStage::held;
}

/// To clients that were answered that only this box has it.
void tell_kept(Writer& writer, MessageId row, const FleetPlace& place,
               const ports::NoteShared& command) {
    Event event{.at = command.at,
                .type = EventType::message_kept,
                .message = row,
                .origin = place.origin,
                .detail = std::string(kept_names.at(static_cast<std::size_t>(place.kept)))};
    WallTime accepted_at;
    const bool found = writer.db.first(
        std::tie(accepted_at, event.client, event.owner, event.to, event.note),
        "SELECT created_at, client, owner, to_addr, coalesce(note, '') FROM messages WHERE id = ?",
        row);
    if (found && accepted_at < command.told_before) {
        (void)writer.ledger.append(std::move(event), {});
    }
}

void note(Writer& writer, MessageId row, FleetPlace& place, const ports::NoteShared& command) {
    const bool was_here = place.kept == Kept::here;
    place.kept = command.kept.value_or(place.kept);
    if (was_here && place.kept != Kept::here && command.told_before != WallTime{}) {
        tell_kept(writer, row, place, command);
    }
    if (!follows_engine(place.stage)) {
        place.epoch = place.epoch == Epoch{} ? command.epoch : place.epoch;
        return;
    }
    if (command.stage == FleetStage::away) {
        (void)apply_event(place, FleetEvent::gone);
        place.box = command.box;
    } else if (command.stage == FleetStage::held) {
        (void)apply_event(place, FleetEvent::taken);
        place.epoch = command.epoch;
        place.box = {};
    }
}

/// False: this box may not begin it.
bool make_firm(Writer& writer, Shared& shared, const ports::MakeFirm& command) {
    auto& [message, place] = shared;
    const bool engine_may_have_it = place.stage != FleetStage::here;
    if (message.state != MessageState::elsewhere ||
        (command.epoch == Epoch{} && engine_may_have_it) ||
        !apply_event(place, FleetEvent::firmed)) {
        return place.stage == FleetStage::firm;
    }
    place.epoch = command.epoch;
    place.box = {};
    save_place(writer.db, message.id, place);
    if (is_cancelled_batch(writer.db, message.batch)) {
        message.detail = "batch_cancelled";
        save_message(writer, message, MessageState::cancelled,
                     {.at = command.at, .detail = message.detail});
        return false;
    }
    save_message(writer, message, MessageState::queued, {.at = command.at});
    return true;
}

/// Nothing of it was begun, and BeginAttempt refuses it from this commit on.
bool lend(Writer& writer, Shared& shared, WallTime at) {
    auto& [message, place] = shared;
    const bool is_untouched = message.segments.empty() && !message.in_hand &&
                              message.attempts == 0 && message.state == MessageState::queued;
    if (!is_untouched || !apply_event(place, FleetEvent::lent)) {
        return place.stage == FleetStage::held;
    }
    save_place(writer.db, message.id, place);
    save_message(writer, message, MessageState::elsewhere, {.at = at});
    return true;
}

}  // namespace

std::vector<MessageId> apply(Writer& writer, const ports::NoteShared& command) {
    std::vector<MessageId> now;
    for (const MessageId id : command.messages) {
        const MessageId row = row_of(writer.db, id);
        auto place = load_place(writer.db, row);
        if (!place) {
            continue;
        }
        note(writer, row, *place, command);
        save_place(writer.db, row, *place);
        if (place->stage == command.stage) {
            now.push_back(id);
        }
    }
    return now;
}

std::vector<MessageId> apply(Writer& writer, const ports::MakeFirm& command) {
    std::vector<MessageId> firm;
    for (const MessageId id : command.messages) {
        auto shared = load_shared(writer.db, id);
        if (shared && make_firm(writer, *shared, command)) {
            firm.push_back(id);
        }
    }
    return firm;
}

std::vector<MessageId> apply(Writer& writer, const ports::Lend& command) {
    std::vector<MessageId> lent;
    for (const MessageId id : command.messages) {
        auto shared = load_shared(writer.db, id);
        if (shared && lend(writer, *shared, command.at)) {
            lent.push_back(id);
        }
    }
    return lent;
}

void apply(Writer& writer, const ports::NoteSettled& command) {
    for (const MessageId id : command.messages) {
        const MessageId row = row_of(writer.db, id);
        auto place = load_place(writer.db, row);
        if (place && apply_event(*place, FleetEvent::settled)) {
            save_place(writer.db, row, *place);
        }
    }
}

}  // namespace smsrack::db
