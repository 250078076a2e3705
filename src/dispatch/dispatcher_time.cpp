// What the dispatcher does because of the time: due messages, overdue doubts, expiry, waits for a
// SIM.
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

using namespace std::chrono_literals;

constexpr auto sweep_period = 5s;         // how late an expired message may be found in the store
constexpr std::size_t sweep_limit = 256;  // rows a step, so that the lines' writes never wait long
constexpr std::size_t due_limit = 64;     // scheduled messages queued at a time
constexpr std::size_t overdue_limit = 64;
constexpr auto storage_pause = 1s;
// After a power cut a modem boots, takes its PIN and looks for its network: rarely more than two minutes.
constexpr auto first_registration = 5min;

}  // namespace

SteadyTime Dispatcher::run_timers(SteadyTime now) {
    const WallTime wall = world_.clock.wall();
    load_due();
    if (may_take_due() && ((next_due_ && *next_due_ <= wall) || !retry_wishes().empty())) {
        take_due();
    }
    if (next_overdue_ && *next_overdue_ <= wall && !overdue_asked_ && !moving_) {
        look_for_overdue();
    }
    if (now >= next_sweep_) {
        next_sweep_ = now + sweep_period;
        check_clock();
        if (!moving_) {
            sweep();
        }
    }
    retry_ends(now);
    drop_pinned(now);
    stop_cooling(now);

    SteadyTime deadline = std::min(next_sweep_, next_retry_of_ends_);
    const auto at_wall = [&](std::optional<WallTime> at) {
        if (at &&
            *at <
                wall +
                    sweep_period) {  // what is later, even by centuries, the sweep's step looks at again
            deadline =
                std::min(deadline, now + std::max<std::chrono::milliseconds>(*at - wall, 1ms));
        }
    };
    if (may_take_due()) {
        at_wall(next_due_);
    }
    if (!overdue_asked_ && !moving_) {
        at_wall(next_overdue_);
    }
    for (const Pinned& pinned : pinned_) {
        deadline = std::min(deadline, pinned.until);
    }
    for (const Line& line : lines_) {
        if (line.rests_until > now) {
            deadline = std::min(deadline, line.rests_until);
        }
        deadline = std::min(deadline, line.cools_until.value_or(never));
    }
    for (const Group& group : groups_) {
        if (group.held_until > now) {
            deadline = std::min(deadline, group.held_until);
        }
    }
    return deadline;
}

/// What the full disk refused.
void Dispatcher::retry_ends(SteadyTime now) {
    if (now < next_retry_of_ends_) {
        return;
    }
    next_retry_of_ends_ = never;
    for (ports::AttemptEnd& end : std::exchange(ends_not_kept_, {})) {
        keep_end(std::move(end));
    }
    for (const MessageId message : std::exchange(not_dropped_, {})) {
        drop(message);
    }
    for (const NotPutOff& message : std::exchange(not_put_off_, {})) {
        put_off(message);
    }
}

/// Where not, what ends that (an answer, a free slot) comes as mail: no time is waited for.
bool Dispatcher::may_take_due() const {
    return !stopping_ && !due_asked_ && due_taken_.empty();
}

/// For messages between two attempts that are due.
std::size_t Dispatcher::retry_room(std::uint16_t group, Level level) const {
    const auto waits_for_sim = [&](const Pinned& pinned) {
        const queue::OutSlot& content = world_.slots[pinned.slot];
        return content.group == group && content.message.level == level;
    };
    const std::size_t here =
        groups_[group].waiting.size_again(level) +
        static_cast<std::size_t>(std::ranges::count_if(pinned_, waits_for_sim));
    const std::size_t most = share().retried;
    return most - std::min(most, here);
}

/// What the store may have, and there is room for.
std::vector<ports::DueWishes::Retries> Dispatcher::retry_wishes() const {
    std::vector<ports::DueWishes::Retries> wishes;
    std::size_t free = world_.slots.free();
    const auto groups = static_cast<std::uint16_t>(groups_.size());
    for (std::uint16_t group = 0; group < groups; ++group) {
        for (Level level = 0; level < level_count; ++level) {
            if (!groups_[group].refill.at(level).retries) {
                continue;
            }
            if (const auto room = std::min(free, retry_room(group, level)); room > 0) {
                wishes.push_back({.group = groups_[group].id, .level = level, .limit = room});
                free -= room;
            }
        }
    }
    return wishes;
}

void Dispatcher::due_at(WallTime at) {
    next_due_ = std::min(next_due_.value_or(at), at);
}

void Dispatcher::on(const DueHint& mail) {
    due_at(mail.at);
}

void Dispatcher::take_due() {
    due_asked_ = true;
    due_asked_at_ = world_.clock.wall();
    if (next_due_ && *next_due_ <= due_asked_at_) {
        next_due_.reset();
        look_for_retries();
    }
    retries_wished_ = retry_wishes();
    world_.store.take_due(due_asked_at_, {.scheduled = due_limit, .retries = retries_wished_},
                          [this](Result<std::vector<OutMessage>> messages) {
                              mailbox_.push(DueTaken{std::move(messages)});
                          });
}

void Dispatcher::on(DueTaken& mail) {
    due_asked_ = false;
    for (const ports::DueWishes::Retries& wish : retries_wished_) {
        const auto is_wished = [&](const OutMessage& message) {
            return message.group == wish.group && message.level == wish.level;
        };
        const auto came = mail.messages ? std::ranges::count_if(*mail.messages, is_wished) : 0;
        Group& group = groups_[group_of_.at(wish.group)];
        group.refill.at(wish.level).retries = static_cast<std::size_t>(came) == wish.limit;
    }
    if (!mail.messages) {
        due_at(world_.clock.wall() + storage_pause);  // all are asked for again then
        return;
    }
    due_taken_.assign(std::make_move_iterator(mail.messages->begin()),
                      std::make_move_iterator(mail.messages->end()));
    if (moving_) {  // they were taken before the move was asked for
        for (OutMessage& message : due_taken_) {
            move_message(message, moves_.back());
        }
    }
    load_due();
    world_.store.read([this, after = due_asked_at_](ports::StoreReader& reader) {
        mailbox_.push(NextDue{reader.next_due(after)});
    });
}

void Dispatcher::load_due() {
    while (!due_taken_.empty() && world_.slots.free() > 0) {
        load(std::move(due_taken_.back()));
        due_taken_.pop_back();
    }
}

void Dispatcher::on(const NextDue& mail) {
    if (!mail.at) {
        due_at(world_.clock.wall() + storage_pause);  // it could not be read
    } else if (*mail.at) {
        due_at(**mail.at);
    }
}

void Dispatcher::look_for_overdue() {
    overdue_asked_ = true;
    next_overdue_.reset();
    world_.store.read([this, wall = world_.clock.wall()](ports::StoreReader& reader) {
        mailbox_.push(OverdueUncertain{reader.uncertain(wall, overdue_limit)});
    });
}

void Dispatcher::on(const OverdueUncertain& mail) {
    overdue_asked_ = false;
    const WallTime wall = world_.clock.wall();
    if (!mail.attempts) {
        next_overdue_ = wall + storage_pause;
        return;
    }
    for (const ports::UncertainAttempt& attempt : *mail.attempts) {
        apply_policy(attempt);
    }
    if (mail.attempts->size() == overdue_limit &&
        settings_.retry.uncertain != UncertainPolicy::hold) {
        next_overdue_ = wall + storage_pause;  // there may be more
    }
}

void Dispatcher::look_for_retries() {
    for (Group& group : groups_) {
        std::ranges::for_each(group.refill, [](RefillState& state) { state.retries = true; });
    }
}

/// What no timer is set for: expired messages in the store, doubts from before this process, and segments that go on because of a
/// report.
void Dispatcher::sweep() {
    look_for_retries();
    next_overdue_ = world_.clock.wall();
    cancel_batches();
    world_.store.expire_overdue(world_.clock.wall(), sweep_limit,
                                [this](Result<std::size_t> expired) {
                                    if (expired && *expired == sweep_limit) {
                                        mailbox_.push(SweepOn{});
                                    }
                                });
}

void Dispatcher::on(const SweepOn&) {
    next_sweep_ = now_;
}

bool Dispatcher::sim_present(SimId sim) const {
    return std::ranges::any_of(lines_,
                               [sim](const Line& line) { return line.ready && line.sim == sim; });
}

/// In any line that was not ready yet since this run began.
bool Dispatcher::sim_may_come(SteadyTime now) const {
    return now < *began_ + first_registration &&
           std::ranges::any_of(lines_, [](const Line& line) { return !line.met; });
}

/// The SIM of a begun long message did not come back in time.
void Dispatcher::drop_pinned(SteadyTime now) {
    const bool may_come = sim_may_come(now);
    for (std::size_t i = 0; i < pinned_.size();) {
        const queue::SlotNumber slot = pinned_[i].slot;
        if (may_come || sim_present(world_.slots[slot].message.pinned_sim)) {
            pinned_[i].until = std::max(pinned_[i].until, now + settings_.disconnect);
        }
        if (pinned_[i].until > now) {
            ++i;
            continue;
        }
        drop(world_.slots[slot].message.id);
        pinned_.erase(pinned_.begin() + static_cast<std::ptrdiff_t>(i));
        release(slot);
    }
}

/// Given up, or under the policy `resend` sent anew by another SIM.
void Dispatcher::drop(MessageId message) {
    const WallTime wall = world_.clock.wall();
    const auto answered = [this, message](const auto& result) {
        if (!result && result.error().code == Errc::storage) {
            mailbox_.push(NotDropped{message});
        }
    };
    if (settings_.retry.uncertain == UncertainPolicy::resend) {
        world_.store.restart(message, "sim_lost", wall, wall, answered);
        due_at(wall);
    } else {
        world_.store.finish(message, MessageEvent::give_up, "sim_lost", wall, answered);
    }
}

void Dispatcher::on(const NotDropped& mail) {
    not_dropped_.push_back(mail.message);
    next_retry_of_ends_ = now_ + storage_pause;
}

}  // namespace smsrack::dispatch
