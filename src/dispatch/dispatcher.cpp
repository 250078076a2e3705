#include "src/dispatch/dispatcher.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

Turn turn_of(const OutMessage& message) {
    return {.first = message.level, .since = message.queued_at, .id = message.id};
}

}  // namespace

Dispatcher::Dispatcher(DispatchSettings settings, DispatchWorld world)
    : settings_(settings),
      world_(world),
      mailbox_(world.waiter),
      cooling_(settings.cooling, world.errors),
      next_due_(WallTime::min()),
      next_overdue_(WallTime::min()) {}

std::uint16_t Dispatcher::add_group(GroupId id, std::string name, std::size_t lines) {
    const auto index = static_cast<std::uint16_t>(groups_.size());
    groups_.emplace_back(id, std::move(name), settings_.ageing, lines);
    work_told_.emplace_back();
    group_of_.emplace(id, index);
    return index;
}

void Dispatcher::add_line(ModemId id, std::uint16_t group,
                          std::optional<ports::UncertainAttempt> left_open) {
    SMSRACK_CHECK(id.value == lines_.size() && group < groups_.size());
    lines_.push_back({.group = group, .left_open = std::move(left_open)});
}

void Dispatcher::connect_line(ModemId id, line::ModemLine& line) {
    Line& entry = lines_.at(id.value);
    entry.line = &line;
    line.take_from(groups_[entry.group].encoded);
}

queue::SlotNumber Dispatcher::adopt(ModemId line, SimId sim, queue::OutSlot content) {
    const auto slot = world_.slots.take();
    SMSRACK_CHECK(slot);
    Line& entry = lines_.at(line.value);
    entry.sim = sim;
    content.group = entry.group;
    in_memory_.insert(content.message.id);
    world_.slots[*slot] = std::move(content);
    entry.holds = true;
    in_hand_.fetch_add(1, std::memory_order_acq_rel);
    note_places();
    return *slot;
}

void Dispatcher::note_places() {
    places_taken_.store(world_.slots.size() - world_.slots.free(), std::memory_order_relaxed);
}

void Dispatcher::settle() {
    mailbox_.take_all(mail_);
    for (DispatchMail& mail : mail_) {
        if (auto* ended = std::get_if<SegmentEnded>(&mail)) {
            on(*ended);
        } else if (auto* late = std::get_if<LateAnswered>(&mail)) {
            on(*late);
        } else if (auto* earlier = std::get_if<EarlierAnswered>(&mail)) {
            on(*earlier);
        }
    }
}

SteadyTime Dispatcher::step(SteadyTime now) {
    now_ = now;
    began_ = began_.value_or(now);
    watch_clock();
    do {
        mailbox_.take_all(mail_);
        for (DispatchMail& mail : mail_) {
            std::visit([this](auto& content) { on(content); }, mail);
        }
    } while (!mail_.empty());
    const SteadyTime deadline = run_timers(now);
    next_room_ = never;
    sticky_waits_ = false;
    look_at_quiet_hours();
    const auto groups = static_cast<std::uint16_t>(groups_.size());
    for (std::uint16_t group = 0; group < groups; ++group) {
        pump(group);
    }
    look_at_encoded_ = false;
    note_emptied();
    note_starving();
    note_places();
    return std::min(deadline, next_room_);
}

void Dispatcher::work_waits(GroupId group, Level level) {
    const auto index = group_of_.find(group);
    if (index == group_of_.end()) {
        return;  // no line of ours: it waits in the store until one is configured, or its time is
                 // over
    }
    if (!work_told_[index->second].at(level).exchange(true)) {
        mailbox_.push(WorkWaits{index->second, level});
    }
}

void Dispatcher::on(const WorkWaits& mail) {
    work_told_[mail.group].at(mail.level).store(false);
    groups_[mail.group].refill.at(mail.level).more = true;
}

void Dispatcher::on(Loaded& mail) {
    RefillState& state = groups_[mail.group].refill.at(mail.level);
    state.loading = false;
    const bool moves = !std::exchange(state.rewound_loading, false);
    if (std::exchange(state.beside_move, false)) {
        state.more = true;
        return;
    }
    if (!mail.messages) {
        state.more = true;
        groups_[mail.group].held_until = now_ + std::chrono::seconds(1);
        return;
    }
    state.rewound = !moves;
    state.more = state.more || mail.messages->size() == mail.asked;
    for (OutMessage& message : *mail.messages) {
        if (world_.slots.free() == 0) {
            state.more = true;
            return;
        }
        if (moves) {  // else the next one begins at the oldest again
            state.after = message.queued_by;
            state.since = message.queued_at;
        }
        load(std::move(message));
    }
    world_.stats.add(stats::Counter::queue_refills);
}

/// Into the send buffer queue. Only where a slot is free.
void Dispatcher::load(OutMessage message) {
    const auto group = group_of_.find(message.group);
    if (group == group_of_.end() || !in_memory_.insert(message.id).second) {
        return;  // no line for it now; or it is here already
    }
    const auto slot = world_.slots.take();
    SMSRACK_CHECK(slot);
    queue::OutSlot& content = world_.slots[*slot];
    content.message = std::move(message);
    content.group = group->second;
    content.message.without_validity = without_validity(content.message.past, world_.errors);
    content.pdus.clear();
    const auto& segments = content.message.segments;
    const auto open = std::ranges::find_if(segments, [](MessageState state) {
        return state == MessageState::queued || state == MessageState::sending;
    });
    content.first_segment =
        static_cast<std::uint8_t>(open == segments.end() ? 0 : open - segments.begin());
    if (waits(content.message)) {
        put_back(*slot);
    } else if (content.message.attempts > 0) {
        wait_again(*slot);
    } else {
        groups_[content.group].waiting.push(turn_of(content.message), *slot);
    }
}

/// Its age has it among the first of its level, unless it waits for its SIM.
void Dispatcher::wait_again(queue::SlotNumber slot) {
    queue::OutSlot& content = world_.slots[slot];
    set_right(content.message);
    if (content.message.pinned_sim.value != 0) {
        pinned_.push_back({slot, now_ + settings_.disconnect});
    } else {
        groups_[content.group].waiting.push(turn_of(content.message), slot, true);
    }
}

LevelShare Dispatcher::share() const {
    return level_share(world_.slots.size(), groups_.size(), lines_.size());
}

void Dispatcher::release(queue::SlotNumber slot) {
    in_memory_.erase(world_.slots[slot].message.id);
    to_move_.erase(world_.slots[slot].message.id);
    world_.slots[slot].pdus.clear();
    world_.slots.release(slot);
}

void Dispatcher::on(const LineReady& mail) {
    Line& line = lines_.at(mail.line.value);
    line.sim = mail.sim;
    line.met = true;
    if (!std::exchange(line.ready, true) && !line.holds) {
        groups_[line.group].free_lines.push_back(mail.line);
    }
    look_again(groups_[line.group]);
    keep_lines(line.group);
    if (const auto until = cooling_.until(line.sim, now_)) {
        cool(mail.line, *until);
    }
}

void Dispatcher::on(const LineLost& mail) {
    Line& line = lines_.at(mail.line.value);
    line.ready = false;
    if (std::exchange(line.cools_until, std::nullopt)) {
        world_.board.pause(mail.line, std::nullopt);  // it begins again with the SIM
    }
    std::erase(groups_[line.group].free_lines, mail.line);
    keep_lines(line.group);
    // Else a command by hand, or a hand-over, needs it; or it is parked, and its radio may be meant to be off.
    if (!world_.board.is_active(mail.line) && line.gate != ports::LineGate::parked) {
        world_.stats.add(stats::Counter::modem_losses);
    }
}

void Dispatcher::on(const StopGiving&) {
    stopping_ = true;
}

}  // namespace smsrack::dispatch
