#include "src/cluster/giver.hpp"

#include <utility>

namespace smsrack::cluster {
namespace {

/// Of those that the engine has.
std::vector<MessageId> ids_of(const std::vector<ports::FleetRow>& rows) {
    std::vector<MessageId> ids;
    for (const ports::FleetRow& row : rows) {
        if (row.kept != Kept::here) {
            ids.push_back(row.id);
        }
    }
    return ids;
}

}  // namespace

void Giver::begin() {
    of_ = *seat_.seat();
    lend({});
}

void Giver::lend(MessageId after) {
    world_.look(
        [after](ports::FleetReader& reader) {
            return reader.at_stage(FleetStage::firm, after, round_max);
        },
        [this](const Result<std::vector<ports::FleetRow>>& rows) {
            if (!rows) {
                return end();
            }
            if (rows->empty()) {
                return give();
            }
            world_.ask(world_.store,
                       ports::Lend{.messages = ids_of(*rows), .at = world_.clock.wall()},
                       [this, next = rows->back().row](const Result<std::vector<MessageId>>& lent) {
                           if (!lent) {
                               return end();
                           }
                           lend(next);
                       });
        });
}

void Giver::give() {
    world_.look(
        [](ports::FleetReader& reader) { return reader.at_stage(FleetStage::held, {}, round_max); },
        [this](const Result<std::vector<ports::FleetRow>>& rows) {
            if (!rows || rows->empty()) {
                return end();
            }
            world_.ask(world_.engine, ports::GiveBack{.seat = of_, .messages = ids_of(*rows)},
                       [this](const Result<std::vector<MessageId>>& given) {
                           if (!given) {
                               return give_up(of_, given.error());
                           }
                           part_with(*given);
                       });
        });
}

void Giver::part_with(const std::vector<MessageId>& given) {
    if (given.empty()) {
        return end();
    }
    world_.ask(world_.store, ports::NoteShared{.messages = given, .stage = FleetStage::away},
               [this, given](const Result<std::vector<MessageId>>& away) {
                   if (!away) {
                       return end();
                   }
                   world_.ask(world_.store, ports::LetGo{.messages = given},
                              [this](const Result<std::size_t>& gone) { end(gone.has_value()); });
               });
}

}  // namespace smsrack::cluster
