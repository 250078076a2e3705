#include "src/cluster/firm_check.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace smsrack::cluster {
namespace {

bool is_among(const std::vector<MessageId>& messages, MessageId id) {
    return std::ranges::find(messages, id) != messages.end();
}

}  // namespace

void FirmCheck::begin() {
    of_ = *seat_.seat();
    look({});
}

void FirmCheck::look(MessageId after) {
    if (seat_.seat() != of_) {
        return end(true);  // under the next seat, from the first row on
    }
    world_.look(
        [after](ports::FleetReader& reader) {
            return reader.at_stage(FleetStage::firm, after, round_max);
        },
        [this](Result<std::vector<ports::FleetRow>> rows) {
            if (!rows) {
                return end();
            }
            if (rows->empty()) {
                seat_.compared(of_);
                return end();
            }
            compare(*rows);
        });
}

void FirmCheck::compare(const std::vector<ports::FleetRow>& rows) {
    std::vector<MessageId> known;     // to the engine
    std::vector<MessageId> doubtful;  // they were put, and the answer did not come
    for (const ports::FleetRow& row : rows) {
        if (row.kept != Kept::here) {
            known.push_back(row.id);
        } else if (row.epoch != Epoch{}) {
            doubtful.push_back(row.id);
        }
    }
    find(std::move(doubtful), std::move(known), rows.back().row);
}

/// What the engine does not have is put once more; what another box has is lost, as below.
void FirmCheck::find(std::vector<MessageId> doubtful, std::vector<MessageId> known,
                     MessageId after) {
    if (doubtful.empty()) {
        return confirm(std::move(known), {}, after);
    }
    world_.ask(world_.engine, ports::FindMessages{.seat = of_, .messages = std::move(doubtful)},
               [this, known = std::move(known),
                after](const Result<std::vector<ports::Whereabouts>>& found) mutable {
                   if (!found) {
                       return give_up(of_, found.error());
                   }
                   std::vector<MessageId> lost;
                   for (const ports::Whereabouts& one : *found) {
                       const bool is_ours =
                           one.stage == ports::SharedStage::firm && one.seat.box == of_.box;
                       if (!is_ours) {
                           lost.push_back(one.message);
                       }
                   }
                   confirm(std::move(known), std::move(lost), after);
               });
}

void FirmCheck::confirm(std::vector<MessageId> known, std::vector<MessageId> lost,
                        MessageId after) {
    if (known.empty()) {
        return lost.empty() ? look(after) : lend(lost, after);
    }
    world_.ask(world_.engine, ports::FirmMessages{.seat = of_, .messages = known},
               [this, known, lost = std::move(lost),
                after](const Result<std::vector<MessageId>>& firm) mutable {
                   if (!firm) {
                       return give_up(of_, firm.error());
                   }
                   std::ranges::copy_if(known, std::back_inserter(lost),
                                        [&](MessageId id) { return !is_among(*firm, id); });
                   if (lost.empty()) {
                       return look(after);
                   }
                   lend(lost, after);
               });
}

void FirmCheck::lend(const std::vector<MessageId>& lost, MessageId after) {
    world_.ask(world_.store, ports::Lend{.messages = lost, .at = world_.clock.wall()},
               [this, begun = lost, after](const Result<std::vector<MessageId>>& lent) mutable {
                   if (!lent) {
                       return end();
                   }
                   std::erase_if(begun, [&](MessageId id) { return is_among(*lent, id); });
                   part_with(*lent, std::move(begun), after);
               });
}

void FirmCheck::part_with(const std::vector<MessageId>& lent, std::vector<MessageId> begun,
                          MessageId after) {
    // The engine has them all, those too whose put was not answered.
    world_.ask(
        world_.store,
        ports::NoteShared{.messages = lent, .stage = FleetStage::away, .kept = Kept::one_disk},
        [this, lent, begun = std::move(begun),
         after](const Result<std::vector<MessageId>>& away) mutable {
            if (!away) {
                return end();
            }
            world_.ask(world_.store, ports::LetGo{.messages = lent},
                       [this, begun = std::move(begun), after](const Result<std::size_t>&) mutable {
                           give_up_begun(std::move(begun), after);
                       });
        });
}

void FirmCheck::give_up_begun(std::vector<MessageId> begun, MessageId after) {
    if (begun.empty()) {
        return look(after);
    }
    const MessageId id = begun.back();
    begun.pop_back();
    world_.give_up(id, [this, &desk = world_.desk, begun = std::move(begun),
                        after](const Result<>& given_up) mutable {
        desk.post(
            [this, begun = std::move(begun), after, is_over = given_up.has_value()]() mutable {
                if (!is_over) {
                    return end();  // in flight: looked at again with the next beat
                }
                give_up_begun(std::move(begun), after);
            });
    });
}

}  // namespace smsrack::cluster
