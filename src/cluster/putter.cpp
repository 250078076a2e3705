#include "src/cluster/putter.hpp"

#include "src/base/hash.hpp"
#include "src/base/hex.hpp"
#include "src/cluster/message_form.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace smsrack::cluster {
namespace {

std::string scope_of(const NewMessage& message) {
    return message.client.empty() ? "uid " + std::to_string(message.owner.value)
                                  : "client " + message.client;
}

std::string hash_of(const std::string& text) {
    const auto hash = hash128(text);
    return hex_of(std::as_bytes(std::span(hash)));
}

ports::SharedChecks checks_of(const NewMessage& message) {
    // Hashes: what clients wrote may have any octets, and other boxes need not read it.
    return {.ref = message.ref.empty() ? "" : hash_of(scope_of(message) + " " + message.ref),
            .fingerprint = message.fingerprint,
            .recipient = hash_of(message.body.to),
            .client = message.client};
}

ports::SharedStage stage_of(const ports::FleetRow& row, bool has_room) {
    if (row.stage == FleetStage::firm || row.stage == FleetStage::ended) {
        return ports::SharedStage::firm;  // begun while the engine did not answer
    }
    return row.stage == FleetStage::here && has_room ? ports::SharedStage::held
                                                     : ports::SharedStage::waiting;
}

std::string_view word_of(ports::PutOutcome outcome) {
    switch (outcome) {
        case ports::PutOutcome::kept:
            return "kept";
        case ports::PutOutcome::repeated:
        case ports::PutOutcome::ref_conflict:
            return "cluster_ref";
        case ports::PutOutcome::opted_out:
            return "opted_out";
        case ports::PutOutcome::duplicate:
            return "duplicate";
        case ports::PutOutcome::recipient_limit:
            return "recipient_limit";
        case ports::PutOutcome::client_limit:
            return "client_limit";
        case ports::PutOutcome::batch_cancelled:
            return "batch_cancelled";
        case ports::PutOutcome::seen:
            return "seen";
    }
    return "";
}

}  // namespace

Putter::Putter(const FleetWorld& world, SeatKeeper& seat, std::function<bool()> has_room,
               OnConflict conflict)
    : Task(world, seat), has_room_(std::move(has_room)), conflict_(std::move(conflict)) {}

void Putter::begin() {
    of_ = *seat_.seat();
    world_.look(
        [](ports::FleetReader& reader) -> Result<std::vector<Found>> {
            const auto rows = reader.kept_here({}, round_max);
            if (!rows) {
                return std::unexpected(rows.error());
            }
            std::vector<Found> found;
            for (const ports::FleetRow& row : *rows) {
                auto message = reader.content(row.id);
                if (message) {
                    found.push_back({.row = row, .message = *std::move(message)});
                } else if (message.error().code != Errc::not_found) {
                    return std::unexpected(std::move(message.error()));
                }
            }
            return found;
        },
        [this](Result<std::vector<Found>> found) {
            if (!found || found->empty()) {
                return end();
            }
            mark(*std::move(found));
        });
}

void Putter::mark(std::vector<Found> found) {
    std::vector<MessageId> here;
    for (const Found& one : found) {
        if (one.row.stage == FleetStage::here) {
            here.push_back(one.row.id);
        }
    }
    world_.ask(
        world_.store,
        ports::NoteShared{
            .messages = std::move(here), .stage = FleetStage::away, .kept = Kept::here},
        [this, found = std::move(found)](const Result<std::vector<MessageId>>& away) mutable {
            if (!away) {
                return end();
            }
            // One that became firm meanwhile is put as that in the next round.
            std::erase_if(found, [&](const Found& one) {
                return one.row.stage == FleetStage::here &&
                       std::ranges::find(*away, one.row.id) == away->end();
            });
            if (found.empty()) {
                return end(true);
            }
            put(found);
        });
}

void Putter::put(const std::vector<Found>& found) {
    const bool has_room = has_room_();
    ports::PutMessages command{.seat = of_};
    for (const Found& one : found) {
        const NewMessage& m = one.message;
        command.messages.push_back({.message = {.id = one.row.id,
                                                .group = m.group,
                                                .level = m.level,
                                                .batch = m.batch,
                                                .form = form_of(m)},
                                    .checks = checks_of(m),
                                    .stage = stage_of(one.row, has_room)});
    }
    auto asked = command.messages;
    world_.ask(world_.engine, std::move(command),
               [this, asked = std::move(asked)](const Result<ports::PutAnswers>& answers) {
                   if (!answers) {
                       return give_up(of_, answers.error());
                   }
                   note(asked, *answers);
               });
}

void Putter::note(const std::vector<ports::PutMessage>& asked, const ports::PutAnswers& answers) {
    std::vector<MessageId> held;
    std::vector<MessageId> others;
    std::vector<std::pair<MessageId, ports::PutAnswer>> refused;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const MessageId id = asked[i].message.id;
        const ports::PutAnswer& answer = answers.messages.at(i);
        if (answer.outcome != ports::PutOutcome::kept) {
            refused.emplace_back(id, answer);
        } else if (asked[i].stage == ports::SharedStage::held) {
            held.push_back(id);
        } else {
            others.push_back(id);
        }
    }
    note_kept(std::move(held), FleetStage::held, answers.two_disks,
              [this, others = std::move(others), two_disks = answers.two_disks,
               refused = std::move(refused)]() mutable {
                  // Only that it is kept: another task may hold one of them by now.
                  note_kept(std::move(others), FleetStage::firm, two_disks,
                            [this, refused = std::move(refused)]() mutable {
                                refuse(std::move(refused));
                            });
              });
}

void Putter::note_kept(std::vector<MessageId> messages, FleetStage stage, bool two_disks,
                       std::function<void()> then) {
    if (messages.empty()) {
        return then();
    }
    world_.ask(world_.store,
               ports::NoteShared{.messages = std::move(messages),
                                 .stage = stage,
                                 .kept = two_disks ? Kept::cluster : Kept::one_disk,
                                 .epoch = of_.epoch},
               [this, then = std::move(then)](const Result<std::vector<MessageId>>& noted) {
                   if (!noted) {
                       return lose(of_);  // they are put once more
                   }
                   then();
               });
}

void Putter::refuse(std::vector<std::pair<MessageId, ports::PutAnswer>> refused) {
    if (refused.empty()) {
        return end(true);
    }
    const auto [id, answer] = refused.back();
    refused.pop_back();
    conflict_(id, answer);
    world_.ask(
        world_.store,
        ports::EndElsewhere{.message = id,
                            .state = MessageState::cancelled,
                            .detail = std::string(word_of(answer.outcome)),
                            .box = number_of_box(answer.first),
                            .at = world_.clock.wall()},
        [this, id = id, refused = std::move(refused)](const Result<MessageState>& ended) mutable {
            if (ended) {
                return refuse(std::move(refused));
            }
            if (ended.error().code != Errc::conflict) {
                return end();
            }
            // It was begun while no engine answered: it ends here, and the engine never has it.
            note_kept({id}, FleetStage::firm, true, [this, refused = std::move(refused)]() mutable {
                refuse(std::move(refused));
            });
        });
}

}  // namespace smsrack::cluster
