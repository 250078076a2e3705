#include "src/cluster/putter.hpp"

#include "src/cluster/begun.hpp"
#include "src/cluster/message_form.hpp"
#include "src/cluster/shared_hash.hpp"
#include "src/sms/card_name.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace smsrack::cluster {
namespace {

std::string scope_of(const NewMessage& message) {
    return message.client.empty() ? "uid " + std::to_string(message.owner.value)
                                  : "client " + message.client;
}

ports::SharedStage stage_of(const ports::FleetRow& row, bool has_room) {
    if (row.stage == FleetStage::firm || row.stage == FleetStage::ended) {
        return ports::SharedStage::firm;  // begun while the engine did not answer
    }
    return row.stage == FleetStage::here && has_room ? ports::SharedStage::held
                                                     : ports::SharedStage::waiting;
}

/// That its client has named, or that its recipient knows.
Result<std::string> sim_of(const NewMessage& message, ports::FleetReader& reader) {
    if (message.by) {
        return card_name(message.by->iccid, message.by->imsi);
    }
    return message.sticky ? reader.known_sim(message.body.to) : std::string();
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
               OnConflict conflict, Followers& followers, std::function<void()> taken,
               std::function<void()> some_wait)
    : Task(world, seat),
      has_room_(std::move(has_room)),
      conflict_(std::move(conflict)),
      followers_(followers),
      taken_(std::move(taken)),
      some_wait_(std::move(some_wait)) {}

/// What a limit of its client or its recipient says is asked only while it is followed.
ports::SharedChecks Putter::checks_of(const Found& one) const {
    const NewMessage& message = one.message;
    const auto asked = followers_.checks_of(one.row.id).value_or(ports::FleetChecks());
    return {.ref = message.ref.empty() ? "" : shared_hash(scope_of(message) + " " + message.ref),
            .fingerprint = message.fingerprint,
            .recipient = shared_hash(message.body.to),
            // What was begun before a STOP is what it is.
            .heeds_opt_out =
                !one.row.is_begun && !world_.settings.opt_out.exempts(message.group, message.level),
            .text_hash = asked.text_hash,
            .duplicate_window = asked.duplicate_window,
            .limits = asked.limits,
            .client = message.client,
            .client_waiting_max = asked.client_waiting_max,
            .pair = one.pair.words.empty() ? "" : shared_hash(one.pair.words),
            .pair_free_after = one.pair.retain};
}

void Putter::begin() {
    of_ = *seat_.seat();
    returns_ = seat_.is_returning();
    world_.look(
        [returns = returns_](ports::FleetReader& reader) -> Result<std::vector<Found>> {
            const auto rows =
                returns ? reader.put_again({}, round_max) : reader.kept_here({}, round_max);
            if (!rows) {
                return std::unexpected(rows.error());
            }
            std::vector<Found> found;
            for (const ports::FleetRow& row : *rows) {
                auto message = reader.content(row.id);
                if (message) {
                    auto pair = reader.pair(row.id);
                    if (!pair) {
                        return std::unexpected(std::move(pair.error()));
                    }
                    auto sim = sim_of(*message, reader);
                    if (!sim) {
                        return std::unexpected(std::move(sim.error()));
                    }
                    found.push_back({.row = row,
                                     .message = *std::move(message),
                                     .pair = *std::move(pair),
                                     .sim = *std::move(sim)});
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
            mark_firm(std::move(found));
        });
}

/// Those that were queued or sent while no engine answered: from here on another box may decide of them, so this one
/// begins them only with permission.
void Putter::mark_firm(std::vector<Found> found) {
    std::vector<MessageId> lone;
    for (const Found& one : found) {
        const bool is_begun =
            one.row.stage == FleetStage::firm || one.row.stage == FleetStage::ended;
        if (is_begun && one.row.epoch == Epoch{}) {
            lone.push_back(one.row.id);
        }
    }
    if (lone.empty()) {
        return put(found);
    }
    world_.ask(world_.store,
               ports::NoteShared{.messages = std::move(lone),
                                 .stage = FleetStage::firm,
                                 .kept = Kept::here,
                                 .epoch = of_.epoch},
               [this, found = std::move(found)](const Result<std::vector<MessageId>>& marked) {
                   if (!marked) {
                       return end();
                   }
                   put(found);
               });
}

void Putter::put(const std::vector<Found>& found) {
    const bool has_room = seat_.takes_work() && has_room_();
    ports::PutMessages command{.seat = of_};
    for (const Found& one : found) {
        const NewMessage& m = one.message;
        // It waits for the box that has its SIM, which may be this one.
        const bool has_sim = m.sticky || !one.sim.empty();
        command.messages.push_back({.message = {.id = one.row.id,
                                                .group = m.group,
                                                .level = m.level,
                                                .batch = m.batch,
                                                .sticky_iccid = one.sim,
                                                .is_sticky = m.sticky && !m.by,
                                                .form = form_of(m)},
                                    .checks = checks_of(one),
                                    .stage = stage_of(one.row, has_room && !has_sim),
                                    .is_begun = returns_ && was_begun(one.row)});
    }
    auto asked = command.messages;
    world_.ask(world_.engine, std::move(command),
               [this, asked = std::move(asked)](const Result<ports::PutAnswers>& answers) {
                   if (!answers) {
                       return give_up(of_, answers.error());
                   }
                   if (std::ranges::any_of(asked, [](const ports::PutMessage& one) {
                           return one.message.is_sticky || !one.message.sticky_iccid.empty();
                       })) {
                       some_wait_();
                   }
                   note(asked, *answers);
               });
}

void Putter::note(const std::vector<ports::PutMessage>& asked, const ports::PutAnswers& answers) {
    std::vector<MessageId> held;
    std::vector<MessageId> others;
    Refused refused;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const MessageId id = asked[i].message.id;
        const ports::PutAnswer& answer = answers.messages.at(i);
        if (answer.outcome != ports::PutOutcome::kept) {
            refused.emplace_back(id, answer);
            continue;
        }
        followers_.kept(id, answers.two_disks ? Kept::cluster : Kept::one_disk);
        if (asked[i].stage == ports::SharedStage::held) {
            held.push_back(id);
        } else {
            others.push_back(id);
        }
    }
    note_kept(std::move(held), FleetStage::held, answers.two_disks,
              [this, others = std::move(others), two_disks = answers.two_disks,
               refused = std::move(refused)]() mutable {
                  if (seat_.seat() != of_) {
                      return end();  // a rebuild may have marked them as not kept by now
                  }
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
               ports::NoteShared{
                   .messages = std::move(messages),
                   .stage = stage,
                   .kept = two_disks ? Kept::cluster : Kept::one_disk,
                   .epoch = of_.epoch,
                   .at = world_.clock.wall(),
                   .told_before =
                       returns_ ? WallTime{} : world_.clock.wall() - world_.settings.accept_wait},
               [this, stage, then = std::move(then)](const Result<std::vector<MessageId>>& noted) {
                   if (!noted) {
                       return lose(of_);  // they are put once more
                   }
                   if (stage == FleetStage::held) {
                       taken_();
                   }
                   then();
               });
}

void Putter::refuse(Refused refused) {
    if (refused.empty()) {
        return end(true);
    }
    const auto [id, answer] = refused.back();
    refused.pop_back();
    // Of one that is put back there is nothing new to say.
    if (!followers_.refused(id, answer) && !returns_) {
        conflict_(id, answer);
    }
    end_here(id, answer, std::move(refused), true);
}

/// A row of a client that was refused: the same ref may come again.
void Putter::end_here(MessageId id, const ports::PutAnswer& answer, Refused rest, bool may_lend) {
    world_.ask(world_.store,
               ports::EndElsewhere{.message = id,
                                   .state = MessageState::cancelled,
                                   .detail = std::string(word_of(answer.outcome)),
                                   .box = number_of_box(answer.first),
                                   .at = world_.clock.wall(),
                                   .forgets_ref = true},
               [this, id, answer, rest = std::move(rest),
                may_lend](const Result<MessageState>& ended) mutable {
                   if (ended) {
                       return refuse(std::move(rest));
                   }
                   if (ended.error().code != Errc::conflict) {
                       return end();
                   }
                   if (may_lend) {
                       return lend(id, answer, std::move(rest));
                   }
                   // It was begun while no engine answered: it ends here, and the engine never has it.
                   leave(id, std::move(rest));
               });
}

/// It was queued while no engine answered.
void Putter::lend(MessageId id, const ports::PutAnswer& answer, Refused rest) {
    world_.ask(world_.store, ports::Lend{.messages = {id}, .at = world_.clock.wall()},
               [this, id, answer,
                rest = std::move(rest)](const Result<std::vector<MessageId>>& lent) mutable {
                   if (!lent) {
                       return end();
                   }
                   end_here(id, answer, std::move(rest), false);
               });
}

void Putter::leave(MessageId id, Refused rest) {
    world_.ask(
        world_.store,
        ports::NoteShared{.messages = {id}, .stage = FleetStage::firm, .kept = Kept::one_disk},
        [this, rest = std::move(rest)](const Result<std::vector<MessageId>>& noted) mutable {
            if (!noted) {
                return end();
            }
            refuse(std::move(rest));
        });
}

}  // namespace smsrack::cluster
