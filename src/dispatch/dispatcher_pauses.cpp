// What the dispatcher does about pauses and quiet hours: what waits for their end waits in the store, out of the way of the others.
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

constexpr std::size_t cancel_limit =
    256;  // messages a step, about ten milliseconds of the writing thread

bool concerns(const ports::Pause& pause, const Group& group) {
    return pause.scope == ports::PauseScope::rack ||
           (pause.scope == ports::PauseScope::group && pause.name == group.name);
}

}  // namespace

/// Messages that wait in the store are read again, since those of what was resumed stand behind what was read last.
void Dispatcher::on(const PausesChanged& mail) {
    look_at_encoded_ = true;
    const WallTime wall = world_.clock.wall();
    const auto held_before = std::exchange(held_batches_, {});
    for (const ports::Pause& pause : mail.pauses) {
        if (pause.scope == ports::PauseScope::batch) {
            held_batches_.insert(pause.batch);
        }
    }
    for (const BatchId batch : held_before) {
        if (!held_batches_.contains(batch)) {
            note_resumed(batch, wall);
        }
    }
    for (Group& group : groups_) {
        const bool paused = std::ranges::any_of(
            mail.pauses, [&](const ports::Pause& pause) { return concerns(pause, group); });
        if (std::exchange(group.paused, paused) && !paused) {
            group.resumed_at = wall;
        }
        for (RefillState& state : group.refill) {
            state.rewind();
        }
    }
    due_at(wall);
    cancel_batches();
}

/// Until when this message must wait; nothing: it may go. A begun long message never waits.
std::optional<WallTime> Dispatcher::waits_until(const OutMessage& message) const {
    if (message.pinned_sim.value != 0) {
        return std::nullopt;
    }
    const auto group = group_of_.find(message.group);
    if ((group != group_of_.end() && groups_[group->second].paused) ||
        held_batches_.contains(message.batch)) {
        return ports::no_end_yet;
    }
    return level_is_quiet(message.level) ? quiet_until_ : std::nullopt;
}

void Dispatcher::note_resumed(BatchId batch, WallTime at) {
    constexpr std::size_t resumed_max = 64;
    if (resumed_batches_.size() == resumed_max) {
        const auto oldest = std::ranges::min_element(
            resumed_batches_, {}, [](const auto& resumed) { return resumed.second; });
        resumed_before_ = std::max(resumed_before_, oldest->second);
        resumed_batches_.erase(oldest);
    }
    resumed_batches_.insert_or_assign(batch, at);
}

/// How long it took says nothing of the load then.
bool Dispatcher::waited_for_a_person(const OutMessage& message) const {
    const auto group = group_of_.find(message.group);
    if (group != group_of_.end() && message.created_at < groups_[group->second].resumed_at) {
        return true;
    }
    if (message.batch.value == 0) {
        return false;
    }
    const auto batch = resumed_batches_.find(message.batch);
    return message.created_at < (batch == resumed_batches_.end() ? resumed_before_ : batch->second);
}

void Dispatcher::look_at_quiet_hours() {
    if (world_.quiet == nullptr) {
        return;
    }
    const auto until = world_.quiet->end(Level{0}, world_.clock.wall());
    look_at_encoded_ = look_at_encoded_ || (until && !quiet_until_);
    quiet_until_ = until;
}

bool Dispatcher::level_is_quiet(Level level) const {
    return quiet_until_.has_value() && level < world_.quiet->below;
}

/// Back to the store, where it is queued; or between two attempts, and due again when it may go.
void Dispatcher::put_back(queue::SlotNumber slot) {
    const OutMessage& message = world_.slots[slot].message;
    Group& group = groups_[world_.slots[slot].group];
    const WallTime wall = world_.clock.wall();
    const WallTime until = waits_until(message).value_or(wall);
    if (message.attempts == 0) {
        if (until != ports::no_end_yet) {
            group.set_aside_until = std::min(group.set_aside_until.value_or(until), until);
        }
    } else if (world_.control != nullptr) {
        put_off({.message = message.id, .until = until == ports::no_end_yet ? wall : until});
    }
    release(slot);
}

/// Its row waits for that time. Until that is written the row waits for us alone.
void Dispatcher::put_off(const NotPutOff& message) {
    const WallTime wall = world_.clock.wall();
    const auto refused = [this, again = NotPutOff{message.message, message.until, message.anew,
                                                  moves_.size()}](const Error& error) {
        if (error.code == Errc::storage) {
            mailbox_.push(again);
        }
    };
    if (message.anew) {
        world_.store.restart(message.message, "quota", message.until, wall,
                             [refused](Result<> kept) {
                                 if (!kept) {
                                     refused(kept.error());
                                 }
                             });
        return due_at(message.until);
    }
    world_.control->put_off(message.message, message.until, wall,
                            [this, refused](Result<std::optional<WallTime>> due) {
                                if (!due) {
                                    refused(due.error());
                                } else if (*due) {
                                    mailbox_.push(DueHint{**due});
                                }
                            });
}

void Dispatcher::on(const NotPutOff& mail) {
    NotPutOff message = mail;
    for (std::size_t i = mail.moves; i < moves_.size(); ++i) {
        message.until += moves_[i].by;
    }
    not_put_off_.push_back(message);
    next_retry_of_ends_ = now_ + std::chrono::seconds(1);
}

/// What is encoded already and must wait after all. What a codec worker has is looked at when it comes back.
void Dispatcher::set_aside_paused(Group& group) {
    if (!look_at_encoded_) {
        return;
    }
    const auto judge = [&](queue::SlotNumber number) {
        return waits(world_.slots[number].message) ? queue::Look::take : queue::Look::further;
    };
    while (const auto slot = group.encoded.withdraw(world_.clock.wall(), judge)) {
        put_back(*slot);
    }
}

/// Its slots are for the other groups.
void Dispatcher::empty_paused(Group& group) {
    const WallTime wall = world_.clock.wall();
    while (const auto turn = group.waiting.next(wall)) {
        put_back(group.waiting.take(*turn));
    }
}

/// Beside the sweep too: what a crash or a full disk cut off goes on.
void Dispatcher::cancel_batches() {
    if (world_.control == nullptr) {
        return;
    }
    world_.control->cancel_some(world_.clock.wall(), cancel_limit, [this](Result<bool> more) {
        if (more && *more) {
            mailbox_.push(CancelOn{});
        }
    });
}

void Dispatcher::on(const CancelOn&) {
    cancel_batches();
}

}  // namespace smsrack::dispatch
