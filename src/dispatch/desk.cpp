#include "src/dispatch/desk.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

Turn turn_of(const OutMessage& message) {
    return {.first = message.level, .since = message.queued_at, .id = message.id};
}

/// 0 for a message that has no segment rows yet.
std::uint8_t first_open_segment(const std::vector<MessageState>& segments) {
    const auto open = std::ranges::find_if(segments, [](MessageState state) {
        return state == MessageState::queued || state == MessageState::sending;
    });
    return static_cast<std::uint8_t>(open == segments.end() ? 0 : open - segments.begin());
}

}  // namespace

Desk::Desk(const DispatchSettings& settings, const DispatchWorld& world, DispatchStore& store)
    : window(world.slots.size(), settings.ageing),
      holds(world.quiet),
      begun(settings.disconnect),
      ageing_(settings.ageing),
      slots_(world.slots),
      store_(store),
      clock_(world.clock),
      errors_(world.errors) {}

std::uint16_t Desk::add_group(GroupId id, std::string name, std::size_t lines) {
    holds.add_group(id, name);
    window.add_group(id);
    return groups.add(id, std::move(name), ageing_, lines);
}

queue::SlotNumber Desk::adopt(queue::OutSlot content) {
    const auto slot = slots_.take();
    SMSRACK_CHECK(slot);
    (void)window.enter(content.message.id);
    slots_[*slot] = std::move(content);
    return *slot;
}

void Desk::load(OutMessage message, SteadyTime now) {
    const auto group = groups.find(message.group);
    if (!group || !window.enter(message.id)) {
        return;  // no line for it now; or it is here already
    }
    const auto slot = slots_.take();
    SMSRACK_CHECK(slot);
    queue::OutSlot& content = slots_[*slot];
    content.message = std::move(message);
    content.group = *group;
    content.message.without_validity = without_validity(content.message.past, errors_);
    content.pdus.clear();
    content.first_segment = first_open_segment(content.message.segments);
    if (holds.when_may(content.message)) {
        put_back(*slot);
    } else if (content.message.attempts > 0) {
        wait_again(*slot, now);
    } else {
        groups[*group].waiting.push(turn_of(content.message), *slot);
    }
}

void Desk::load_kept(SteadyTime now) {
    while (due.has_kept() && slots_.free() > 0) {
        load(due.take_kept(), now);
    }
}

void Desk::refill(std::uint16_t group) {
    if (moves.pending()) {
        return;
    }
    const Group& of = groups[group];
    for (std::size_t i = level_count; i > 0; --i) {
        const auto level = static_cast<Level>(i - 1);
        if (holds.is_quiet(level)) {
            continue;
        }
        const std::size_t waiting = of.waiting.size(level) - of.waiting.size_again(level);
        if (const auto question = window.ask(group, level, waiting, slots_.free())) {
            store_.read_queued(group, of.id, level, question->after, question->limit);
        }
    }
}

std::vector<ports::DueWishes::Retries> Desk::retry_wishes() const {
    return window.retry_wishes(slots_.free(), [&](std::uint16_t group, Level level) {
        return groups[group].waiting.size_again(level) + begun.count(group, level);
    });
}

void Desk::take_due() {
    const WallTime wall = clock_.wall();
    if (due.messages.ask(wall)) {
        window.look_for_retries();
    }
    store_.take_due(wall, retry_wishes());
}

void Desk::wait_again(queue::SlotNumber slot, SteadyTime now) {
    queue::OutSlot& content = slots_[slot];
    moves.set_right(content.message);
    if (content.message.pinned_sim != SimId{}) {
        begun.wait({.slot = slot,
                    .sim = content.message.pinned_sim,
                    .group = content.group,
                    .level = content.message.level},
                   now);
    } else {
        groups[content.group].waiting.push(turn_of(content.message), slot, true);
    }
}

void Desk::move_times(const ClockMove& move, SteadyTime now) {
    for (OutMessage& message : due.kept()) {
        move_message(message, move);
    }
    const auto any = [](queue::SlotNumber) { return queue::Look::take; };
    for (std::uint16_t i = 0; i < groups.size(); ++i) {
        Group& group = groups[i];
        group.waiting.move_times(move);
        while (const auto encoded = group.encoded.withdraw(clock_.wall(), any)) {
            wait_again(*encoded, now);  // at its place by the times as they are now
        }
    }
    window.times_moved();
    due.messages.at(clock_.wall());
}

void Desk::release(queue::SlotNumber slot) {
    window.leave(slots_[slot].message.id);
    moves.forget(slots_[slot].message.id);
    slots_[slot].pdus.clear();
    slots_.release(slot);
}

void Desk::finish(queue::SlotNumber slot, MessageEvent event, std::string detail) {
    store_.finish(slot, slots_[slot].message.id, event, std::move(detail));
}

void Desk::restart(queue::SlotNumber slot, std::string detail, WallTime due_at) {
    store_.restart(slots_[slot].message.id, std::move(detail), due_at);
    due.messages.at(due_at);
    release(slot);
}

bool Desk::ends_here(queue::SlotNumber slot) {
    OutMessage& message = slots_[slot].message;
    moves.set_right(message);
    if (!is_over(message, clock_)) {
        return false;
    }
    finish(slot, MessageEvent::too_late, "ttl");
    return true;
}

void Desk::put_back(queue::SlotNumber slot) {
    const OutMessage& message = slots_[slot].message;
    const WallTime wall = clock_.wall();
    const WallTime until = holds.when_may(message).value_or(wall);
    if (message.attempts == 0) {
        if (until != ports::no_end_yet) {
            window.set_aside(slots_[slot].group, until);
        }
    } else if (store_.has_control()) {
        store_.put_off(message.id, until == ports::no_end_yet ? wall : until);
    }
    release(slot);
}

void Desk::set_aside(queue::SlotNumber slot, WallTime until) {
    if (slots_[slot].message.attempts > 0) {  // its row waits for a time
        return restart(slot, "quota", until);
    }
    window.set_aside(slots_[slot].group, until);
    release(slot);
}

void Desk::empty(std::uint16_t group) {
    queue::SendBufferQueue& waiting = groups[group].waiting;
    const WallTime wall = clock_.wall();
    while (const auto turn = waiting.next(wall)) {
        put_back(waiting.take(*turn));
    }
}

void Desk::put_back_held(std::uint16_t group) {
    if (!holds.must_look()) {
        return;
    }
    const auto is_held = [&](queue::SlotNumber slot) {
        return holds.when_may(slots_[slot].message) ? queue::Look::take : queue::Look::further;
    };
    while (const auto slot = groups[group].encoded.withdraw(clock_.wall(), is_held)) {
        put_back(*slot);
    }
}

}  // namespace smsrack::dispatch
