// What the dispatcher does about the limits of SIMs: quotas, and the rest after refusals.
#include "src/base/time_text.hpp"
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {

using namespace std::chrono_literals;

line::MaySend Dispatcher::may_send(const Line& line, queue::SlotNumber slot) {
    const queue::OutSlot& content = world_.slots[slot];
    const line::MaySendAnswer answer =
        line::may_send({.gate_open = line.gate == ports::LineGate::open,
                        .sim = line.sim,
                        .quota = line.line->quota()},
                       route_of(line, content.message), content, world_.clock);
    if (answer.pause) {
        room_at(*answer.pause);
    }
    return answer.what;
}

/// A message that another SIM should send is passed by; one that is too long for what is left of the quota stops the line, so
/// that short ones do not use it up for ever. One that has expired is taken and ended.
queue::Look Dispatcher::look_at(const Line& from, queue::SlotNumber slot) {
    using line::MaySend;
    switch (may_send(from, slot)) {
        case MaySend::other_sim:
            sticky_waits_ = true;
            return queue::Look::further;
        case MaySend::no_recipient:
            return queue::Look::further;
        case MaySend::gate_shut:
        case MaySend::no_room:
            return queue::Look::stop;
        case MaySend::yes:
        case MaySend::expired:
        case MaySend::stale:
            break;
    }
    return queue::Look::take;
}

/// The rest of a begun message goes first on its SIM.
bool Dispatcher::keeps_for_pinned(const Line& line) const {
    return std::ranges::any_of(pinned_, [&](const Pinned& pinned) {
        return world_.slots[pinned.slot].message.pinned_sim == line.sim;
    });
}

void Dispatcher::room_at(const ports::QuotaPause& pause) {
    if (pause.until) {  // else the line says when it knows
        const auto wait =
            std::max<std::chrono::milliseconds>(*pause.until - world_.clock.wall(), 1ms);
        next_room_ = std::min(next_room_, now_ + wait);
    }
}

/// True where lines are ready, and each has a SIM that has no recipient left for this number.
bool Dispatcher::nobody_takes(std::uint16_t group, queue::SlotNumber slot) const {
    const std::uint64_t recipient = line::recipient_hash(world_.slots[slot].message.body.to);
    bool any = false;
    for (const Line& line : lines_) {
        if (line.group != group || !line.ready || line.gate != ports::LineGate::open) {
            continue;
        }
        any = true;
        if (line.line->quota() == nullptr || line.line->quota()->takes(recipient)) {
            return false;
        }
    }
    return any;
}

/// Out of the way of those behind them that have a known recipient. They stay in the store until the month turns or a SIM comes.
void Dispatcher::set_aside(Group& group) {
    const auto judge = [&](queue::SlotNumber number) {
        return nobody_takes(world_.slots[number].group, number) ? queue::Look::take
                                                                : queue::Look::stop;
    };
    while (const auto slot = group.encoded.withdraw(world_.clock.wall(), judge)) {
        const OutMessage& message = world_.slots[*slot].message;
        const auto pause = world_.board.group_pause(group.name, 1, message.body.to);
        const WallTime wall = world_.clock.wall();
        const WallTime until = pause && pause->until ? *pause->until : wall + 1h;
        if (message.attempts > 0) {  // its row waits for a time
            put_off({.message = message.id, .until = until, .anew = true});
        } else {
            group.set_aside_until = std::min(group.set_aside_until.value_or(until), until);
        }
        release(*slot);
    }
}

/// What was set aside is read from the store again.
void Dispatcher::look_again(Group& group) {
    if (!std::exchange(group.set_aside_until, std::nullopt)) {
        return;
    }
    for (RefillState& state : group.refill) {
        state.rewind();
    }
}

void Dispatcher::note_refusals(ModemId line, const SubmitOutcome& outcome) {
    if (const auto pause = cooling_.ended(lines_.at(line.value).sim, outcome, now_)) {
        world_.log.warn("line_cooling", {{"modem", world_.board.name(line)},
                                         {"cause", outcome.cause.code},
                                         {"seconds", pause->count() / 1000}});
        cool(line, now_ + *pause);
    }
}

void Dispatcher::cool(ModemId line, SteadyTime until) {
    lines_.at(line.value).cools_until = until;
    const WallTime wall = world_.clock.wall();
    const WallTime ends = wall + std::chrono::ceil<std::chrono::milliseconds>(until - now_);
    world_.board.pause(line, ports::LinePause{.reason = "cooling", .until = ends});
    world_.store.keep_event({.at = wall,
                             .type = EventType::modem_state,
                             .modem = world_.board.name(line),
                             .detail = "cooling until " + time_text(ends)});
}

void Dispatcher::stop_cooling(SteadyTime now) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        Line& line = lines_[i];
        if (!line.cools_until || *line.cools_until > now) {
            continue;
        }
        line.cools_until.reset();
        const ModemId id{static_cast<std::uint16_t>(i)};
        world_.board.pause(id, std::nullopt);
        world_.log.info("line_cooled", {{"modem", world_.board.name(id)}});
        world_.store.keep_event({.at = world_.clock.wall(),
                                 .type = EventType::modem_state,
                                 .modem = world_.board.name(id),
                                 .detail = "active"});
    }
}

}  // namespace smsrack::dispatch
