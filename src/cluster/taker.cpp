#include "src/cluster/taker.hpp"

#include "src/cluster/message_form.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace smsrack::cluster {

Taker::Taker(const FleetWorld& world, SeatKeeper& seat,
             std::function<std::vector<GroupPace>()> groups, std::function<void()> taken,
             Followers& followers)
    : Task(world, seat),
      groups_(std::move(groups)),
      taken_(std::move(taken)),
      followers_(followers) {}

void Taker::begin() {
    of_ = *seat_.seat();
    const bool some_wait = std::exchange(some_wait_, false) || seat_.fleet().waiting > 0;
    if (!some_wait || !seat_.takes_work()) {
        return end();  // the next beat says when there is something
    }
    auto wishes = wishes_of(groups_(), world_.settings.ahead);
    if (wishes.empty()) {
        return end();
    }
    ports::TakeMessages command{
        .seat = of_, .wishes = std::move(wishes), .sticky_wait = world_.settings.sticky_wait};
    for (const BeatWatch::Silent& box : seat_.watch().silent_for(world_.settings.sticky_wait)) {
        command.absent.push_back(box.seat.box);
    }
    world_.ask(world_.engine, std::move(command),
               [this](Result<std::vector<ports::SharedMessage>> messages) {
                   if (!messages) {
                       return give_up(of_, messages.error());
                   }
                   if (messages->empty()) {
                       return end();
                   }
                   note_sims(*messages);
                   keep(*std::move(messages));
               });
}

/// It goes by the SIM that its recipient knows, if that is here now.
void Taker::note_sims(const std::vector<ports::SharedMessage>& messages) {
    ports::NoteKnownSims command{.at = world_.clock.wall()};
    for (const ports::SharedMessage& message : messages) {
        if (message.sticky_iccid.empty()) {
            continue;
        }
        if (const auto read = message_of(message.form, {}); read && read->sticky) {
            command.known.push_back({.to = read->body.to, .iccid = message.sticky_iccid});
        }
    }
    if (!command.known.empty()) {
        world_.ask(world_.store, std::move(command), [](const Result<>& /*noted*/) {});
    }
}

void Taker::keep(std::vector<ports::SharedMessage> messages) {
    std::vector<MessageId> own;
    ports::TakeIn guests{.epoch = of_.epoch};
    for (const ports::SharedMessage& message : messages) {
        const BoxNumber from = number_of_box(message.id);
        if (from == of_.box) {
            own.push_back(message.id);
        } else if (auto read = message_of(
                       message.form, seat_.ahead_of(from).value_or(std::chrono::milliseconds(0)))) {
            guests.messages.push_back({.id = message.id, .message = *std::move(read)});
        }
    }
    if (guests.messages.empty()) {
        return keep_own(std::move(own), {});
    }
    std::vector<MessageId> taken;
    for (const ports::TakenMessage& guest : guests.messages) {
        taken.push_back(guest.id);
    }
    world_.ask(world_.store, std::move(guests),
               [this, own = std::move(own),
                taken = std::move(taken)](const Result<std::vector<FleetStage>>& kept) mutable {
                   if (!kept) {
                       return lose(of_);
                   }
                   std::vector<MessageId> begun;
                   for (std::size_t i = 0; i < taken.size(); ++i) {
                       if (kept->at(i) == FleetStage::firm) {
                           begun.push_back(taken[i]);
                       }
                   }
                   keep_own(std::move(own), std::move(begun));
               });
}

void Taker::keep_own(std::vector<MessageId> own, std::vector<MessageId> begun) {
    if (own.empty()) {
        return firm(std::move(begun));
    }
    // What is on two disks now has what was committed before on them, too.
    const Kept kept = seat_.fleet().two_disks ? Kept::cluster : Kept::one_disk;
    for (const MessageId id : own) {
        followers_.kept(id, kept);
    }
    world_.ask(
        world_.store,
        ports::NoteShared{.messages = own,
                          .stage = FleetStage::held,
                          .kept = kept,
                          .epoch = of_.epoch,
                          .at = world_.clock.wall(),
                          .told_before = world_.clock.wall() - world_.settings.accept_wait},
        [this, own, begun = std::move(begun)](const Result<std::vector<MessageId>>& held) mutable {
            if (!held) {
                return lose(of_);
            }
            std::vector<MessageId> others;
            std::ranges::copy_if(own, std::back_inserter(others), [&](MessageId id) {
                return std::ranges::find(*held, id) == held->end();
            });
            find_begun(std::move(others), std::move(begun));
        });
}

/// Of its own messages that it does not hold now. One that it does not know, or that has ended, stays as it is.
void Taker::find_begun(std::vector<MessageId> own, std::vector<MessageId> begun) {
    if (own.empty()) {
        return firm(std::move(begun));
    }
    world_.look([own](ports::FleetReader& reader) { return reader.find(own); },
                [this, begun = std::move(begun)](
                    const Result<std::vector<std::optional<ports::FleetRow>>>& rows) mutable {
                    if (!rows) {
                        return end();
                    }
                    for (const auto& row : *rows) {
                        if (row && row->stage == FleetStage::firm) {
                            begun.push_back(row->id);
                        }
                    }
                    firm(std::move(begun));
                });
}

/// This box has begun them before, and the policy of another one has decided that they are sent again. It can't begin once more
/// what it is in doubt of: its own policy decides, as of all that is firm here.
void Taker::firm(std::vector<MessageId> begun) {
    taken_();
    if (begun.empty()) {
        return end(true);
    }
    world_.ask(world_.engine, ports::FirmMessages{.seat = of_, .messages = std::move(begun)},
               [this](const Result<std::vector<MessageId>>& firm) {
                   if (!firm) {
                       return give_up(of_, firm.error());
                   }
                   end(true);
               });
}

void Firmer::handed_in() {
    const SteadyTime now = world_.clock.steady();
    const bool is_stream = now - std::exchange(handed_in_at_, now) < stream_within;
    wake_at(is_stream ? now + gather_for : now);
}

void Firmer::begin() {
    of_ = *seat_.seat();
    world_.look(
        [](ports::FleetReader& reader) { return reader.at_stage(FleetStage::held, {}, round_max); },
        [this](Result<std::vector<ports::FleetRow>> rows) {
            if (!rows || rows->empty()) {
                return end();
            }
            is_full_ = rows->size() == round_max;
            ask(*rows);
        });
}

void Firmer::ask(const std::vector<ports::FleetRow>& rows) {
    ports::FirmMessages command{.seat = of_};
    for (const ports::FleetRow& row : rows) {
        command.messages.push_back(row.id);
    }
    auto lost = command.messages;
    world_.ask(world_.engine, std::move(command),
               [this, lost = std::move(lost)](Result<std::vector<MessageId>> firm) mutable {
                   if (!firm) {
                       return give_up(of_, firm.error());
                   }
                   std::erase_if(lost, [&](MessageId id) {
                       return std::ranges::find(*firm, id) != firm->end();
                   });
                   queue(*std::move(firm), std::move(lost));
               });
}

void Firmer::queue(std::vector<MessageId> firm, std::vector<MessageId> lost) {
    if (firm.empty()) {
        return part_with(std::move(lost));
    }
    world_.ask(
        world_.store,
        ports::MakeFirm{.messages = std::move(firm), .epoch = of_.epoch, .at = world_.clock.wall()},
        [this, lost = std::move(lost)](const Result<std::vector<MessageId>>& queued) mutable {
            if (!queued) {
                return end();
            }
            part_with(std::move(lost));
        });
}

/// Another box has them, or will.
void Firmer::part_with(std::vector<MessageId> lost) {
    if (lost.empty()) {
        return end(is_full_);
    }
    world_.ask(world_.store, ports::NoteShared{.messages = lost, .stage = FleetStage::away},
               [this, lost](const Result<std::vector<MessageId>>& away) {
                   if (!away) {
                       return end();
                   }
                   world_.ask(world_.store, ports::LetGo{.messages = lost},
                              [this](const Result<std::size_t>& gone) {
                                  end(gone.has_value() && is_full_);
                              });
               });
}

}  // namespace smsrack::cluster
