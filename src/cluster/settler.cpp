#include "src/cluster/settler.hpp"

#include "src/cluster/begun.hpp"
#include "src/cluster/message_form.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace smsrack::cluster {
namespace {

/// An end for the engine. `sent` is one: a status report only changes it.
bool is_end(MessageState state) {
    return is_final(state) || state == MessageState::sent;
}

bool is_among(const std::vector<MessageId>& messages, MessageId id) {
    return std::ranges::find(messages, id) != messages.end();
}

}  // namespace

void Settler::begin() {
    of_ = *seat_.seat();
    look({});
}

void Settler::look(MessageId after) {
    world_.look(
        [after](ports::FleetReader& reader) {
            return reader.at_stage(FleetStage::ended, after, round_max);
        },
        [this](Result<Rows> rows) {
            if (!rows || rows->empty()) {
                return end();
            }
            const MessageId next = rows->back().row;
            // The engine knows those that it has; the others are put there first.
            std::erase_if(*rows, [](const ports::FleetRow& row) { return row.kept == Kept::here; });
            if (rows->empty()) {
                return look(next);
            }
            looked_at_.clear();
            for (const ports::FleetRow& row : *rows) {
                looked_at_.push_back(row.id);
            }
            settle_unbegun(*std::move(rows));
        });
}

void Settler::settle(const Rows& rows, bool begun,
                     std::move_only_function<void(const std::vector<MessageId>&)> then) {
    ports::SettleMessages command{.seat = of_};
    for (const ports::FleetRow& row : rows) {
        if (was_begun(row) == begun && is_end(row.state)) {
            command.messages.push_back({.message = row.id,
                                        .state = row.state,
                                        .unbegun = !begun,
                                        .sticky_iccid = row.known_sim});
        }
    }
    if (command.messages.empty()) {
        return then({});
    }
    world_.ask(world_.engine, std::move(command),
               [this, then = std::move(then)](const Result<std::vector<MessageId>>& ended) mutable {
                   if (!ended) {
                       return give_up(of_, ended.error());
                   }
                   then(*ended);
               });
}

void Settler::settle_unbegun(Rows rows) {
    settle(rows, false, [this, rows](const std::vector<MessageId>& ended) mutable {
        // Of the others, their end is another box's to tell.
        std::erase_if(rows, [&](const ports::FleetRow& row) {
            return !was_begun(row) && !is_among(ended, row.id);
        });
        write(std::move(rows));
    });
}

void Settler::write(Rows rows) {
    ports::SendMail command{.seat = of_};
    for (const ports::FleetRow& row : rows) {
        const BoxNumber from = number_of_box(row.id);
        if (from != of_.box) {
            command.mail.push_back({.to = from,
                                    .form = form_of(EndLetter{.message = row.id,
                                                              .state = row.state,
                                                              .detail = row.detail,
                                                              .box = of_.box})});
        }
    }
    if (command.mail.empty()) {
        return settle_begun(std::move(rows));
    }
    world_.ask(world_.engine, std::move(command),
               [this, rows = std::move(rows)](const Result<>& sent) mutable {
                   if (!sent) {
                       return give_up(of_, sent.error());
                   }
                   settle_begun(std::move(rows));
               });
}

void Settler::settle_begun(Rows rows) {
    settle(rows, true, [this](const std::vector<MessageId>& /*ended*/) { note(); });
}

void Settler::note() {
    world_.ask(world_.store, ports::NoteSettled{.messages = looked_at_},
               [this](const Result<>& noted) { end(noted.has_value()); });
}

void Expirer::begin() {
    of_ = *seat_.seat();
    look({});
}

void Expirer::look(MessageId after) {
    world_.look([after, now = world_.clock.wall()](
                    ports::FleetReader& reader) { return reader.overdue(now, after, round_max); },
                [this](const Result<std::vector<ports::FleetRow>>& rows) {
                    if (!rows || rows->empty()) {
                        return end();
                    }
                    std::vector<MessageId> guests;
                    std::vector<MessageId> own;
                    for (const ports::FleetRow& row : *rows) {
                        if (number_of_box(row.id) != of_.box) {
                            guests.push_back(row.id);
                        } else if (row.kept != Kept::here) {
                            own.push_back(row.id);
                        }
                    }
                    let_go(std::move(guests), std::move(own), rows->back().row);
                });
}

void Expirer::let_go(std::vector<MessageId> guests, std::vector<MessageId> own, MessageId next) {
    if (guests.empty()) {
        return settle(own, next);
    }
    world_.ask(world_.store, ports::LetGo{.messages = std::move(guests)},
               [this, own = std::move(own), next](const Result<std::size_t>& /*gone*/) {
                   settle(own, next);
               });
}

void Expirer::settle(const std::vector<MessageId>& own, MessageId next) {
    if (own.empty()) {
        return look(next);
    }
    ports::SettleMessages command{.seat = of_};
    for (const MessageId id : own) {
        command.messages.push_back(
            {.message = id, .state = MessageState::expired, .unbegun = true});
    }
    world_.ask(world_.engine, std::move(command),
               [this, next](Result<std::vector<MessageId>> ended) {
                   if (!ended) {
                       return give_up(of_, ended.error());
                   }
                   end_here(*std::move(ended), next);
               });
}

void Expirer::end_here(std::vector<MessageId> ended, MessageId next) {
    if (ended.empty()) {
        return look(next);
    }
    const MessageId id = ended.back();
    ended.pop_back();
    world_.ask(
        world_.store,
        ports::EndElsewhere{
            .message = id, .state = MessageState::expired, .at = world_.clock.wall()},
        [this, ended = std::move(ended), next](const Result<MessageState>& /*state*/) mutable {
            end_here(std::move(ended), next);
        });
}

void Sweeper::begin() {
    of_ = *seat_.seat();
    world_.look(
        [after = after_](ports::FleetReader& reader) {
            return reader.at_stage(FleetStage::away, after, round_max);
        },
        [this](Result<std::vector<ports::FleetRow>> rows) {
            if (!rows) {
                return end();
            }
            after_ = rows->size() < round_max ? MessageId{} : rows->back().row;
            std::erase_if(*rows, [this](const ports::FleetRow& row) {
                return number_of_box(row.id) != of_.box || row.kept == Kept::here;
            });
            find(*rows);
        });
}

void Sweeper::find(const std::vector<ports::FleetRow>& rows) {
    ports::FindMessages command{.seat = of_};
    for (const ports::FleetRow& row : rows) {
        command.messages.push_back(row.id);
    }
    if (command.messages.empty()) {
        return end();
    }
    world_.ask(world_.engine, std::move(command),
               [this](Result<std::vector<ports::Whereabouts>> found) {
                   if (!found) {
                       return give_up(of_, found.error());
                   }
                   std::erase_if(*found, [](const ports::Whereabouts& where) {
                       return where.stage != ports::SharedStage::ended;
                   });
                   end_here(*std::move(found));
               });
}

void Sweeper::end_here(std::vector<ports::Whereabouts> ended) {
    if (ended.empty()) {
        return end();
    }
    const ports::Whereabouts where = ended.back();
    ended.pop_back();
    const bool is_doubtful = where.is_decided && where.state == MessageState::failed;
    world_.ask(world_.store,
               ports::EndElsewhere{.message = where.message,
                                   .state = where.state,
                                   .detail = std::string(is_doubtful ? "outcome_unknown" : ""),
                                   .box = where.seat.box,
                                   .at = world_.clock.wall()},
               [this, ended = std::move(ended)](const Result<MessageState>& /*state*/) mutable {
                   end_here(std::move(ended));
               });
}

}  // namespace smsrack::cluster
