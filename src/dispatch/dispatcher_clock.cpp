// The dispatcher's watch on the clock, and on itself.
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {

using namespace std::chrono_literals;

void move_message(OutMessage& message, const ClockMove& move) {
    if (move.concerns(message.created_at, message.expires_at) && !message.scheduled) {
        message.created_at += move.by;
        message.expires_at += move.by;
    }
    if (move.concerns(message.queued_at)) {
        message.queued_at += move.by;
    }
}

void move_end(ports::AttemptEnd& end, const ClockMove& move) {
    if (!move.concerns(end.at)) {
        return;
    }
    end.at += move.by;
    if (end.due_at) {
        *end.due_at += move.by;
    }
}

/// A clock that was set while we run went wrong for as long as we run, or does from now on: what waits is neither older nor
/// younger by it. One that was not believed at the start is looked at with each sweep.
void Dispatcher::watch_clock() {
    if (moving_ || world_.guard == nullptr || world_.guard->waits()) {
        return;
    }
    if (const auto move = world_.guard->correction()) {
        begin_move(*move, "clock_jumped");
    }
}

/// From here on it is believed.
void Dispatcher::check_clock() {
    if (std::exchange(move_again_, false)) {
        move_times();
    }
    if (moving_ || world_.guard == nullptr || !world_.guard->waits()) {
        return;
    }
    if (const auto move = world_.guard->correction()) {
        begin_move(*move, "clock_believed");
    }
}

/// The store is told before anybody reads the new time: what it counts by it comes behind the move.
void Dispatcher::begin_move(const ClockMove& move, std::string_view what) {
    moves_.push_back(move);
    moving_ = true;
    move_times();
    world_.guard->believe(move);
    move_in_hand(move);
    for (const MessageId message : in_memory_) {
        to_move_[message].push_back(move);
    }
    for (Group& group : groups_) {
        group.waiting.move_times(move);
        while (const auto encoded = group.encoded.withdraw(
                   world_.clock.wall(), [](queue::SlotNumber) { return queue::Look::take; })) {
            wait_again(*encoded);  // at its place by the times as they are now
        }
        look_again(group);
        for (RefillState& state : group.refill) {
            state.rewind();
            state.beside_move = state.loading;
        }
    }
    due_at(world_.clock.wall());
    world_.log.info(what, {{"by_ms", move.by.count()}});
    world_.store.keep_event({.at = world_.clock.wall(),
                             .type = EventType::service_notice,
                             .detail = std::string(what)});
}

void Dispatcher::move_times() {
    world_.store.move_times(moves_.back(), [this](Result<std::size_t> messages) {
        mailbox_.push(TimesMoved{std::move(messages)});
    });
}

/// What waits neither in the store nor in a queue.
void Dispatcher::move_in_hand(const ClockMove& move) {
    for (OutMessage& message : due_taken_) {
        move_message(message, move);
    }
    for (ports::AttemptEnd& end : ends_not_kept_) {
        move_end(end, move);
    }
    for (NotPutOff& message : not_put_off_) {
        message.until += move.by;
    }
}

/// Of a message that was loaded before its row was set right.
void Dispatcher::set_right(OutMessage& message) {
    const auto moves = to_move_.find(message.id);
    if (moves == to_move_.end()) {
        return;
    }
    for (const ClockMove& move : moves->second) {
        move_message(message, move);
    }
    to_move_.erase(moves);
}

/// A disk that is full is waited for by the store. What else it refuses is tried again with the next sweep.
void Dispatcher::on(const TimesMoved& mail) {
    moving_ = !mail.messages.has_value();
    if (moving_) {
        move_again_ = true;
        world_.log.error("times_not_moved", {{"what", mail.messages.error().context}});
    }
}

/// Work that is ready, a line that may take it, and they do not meet: no good state lasts so.
void Dispatcher::note_starving() {
    const auto starves = [&](const Group& group) {
        bool work = !group.encoded.empty();
        for (Level level = 0; level < level_count; ++level) {
            work = work || group.waiting.size(level) > 0 || group.refill.at(level).loading;
        }
        return work && !group.paused && now_ >= group.held_until &&
               std::ranges::any_of(group.free_lines, [&](ModemId id) {
                   const Line& line = lines_[id.value];
                   return line_may_send(line) && line.gate == ports::LineGate::open &&
                          !keeps_for_pinned(line) && !group.encoded.is_kept(id);
               });
    };
    const bool quota_waits = next_room_ != never;
    if (stopping_ || quota_waits || sticky_waits_ || std::ranges::none_of(groups_, starves)) {
        starves_since_.store(never.time_since_epoch().count(), std::memory_order_relaxed);
    } else if (starves_since() == never) {
        starves_since_.store(now_.time_since_epoch().count(), std::memory_order_relaxed);
    }
}

}  // namespace smsrack::dispatch
