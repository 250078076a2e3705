// The dispatcher's watch on the clock, and on itself.
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {

using namespace std::chrono_literals;

namespace {

constexpr auto jump_least = 10s;  // less is what NTP and a busy machine make of a second

}  // namespace

/// A clock that jumps while we run went wrong for as long as we run, or does from now on: what waits is neither older nor
/// younger by it.
void Dispatcher::watch_clock() {
    if (moves_left_ > 0 || (world_.guard != nullptr && world_.guard->waits())) {
        return;
    }
    const BothClocks now{.steady = world_.clock.steady(), .wall = world_.clock.wall()};
    if (!clocks_) {
        dated_since_ = now.wall;
    } else {
        const WallTime expected = clocks_->wall + std::chrono::floor<std::chrono::milliseconds>(
                                                      now.steady - clocks_->steady);
        const auto by = now.wall - expected;
        if (std::chrono::abs(by) >= jump_least) {
            begin_move(
                {.after = std::min(dated_since_, now.wall) - 1ms, .until = expected, .by = by},
                "clock_jumped");
            jumped_ = true;
            dated_since_ += by;
            next_sweep_ = now_;  // which begins to write it
        }
    }
    clocks_ = now;
}

/// A clock that was not believed at the start: from here on it is, and what was dated meanwhile is set right.
void Dispatcher::check_clock() {
    if (world_.guard != nullptr && world_.guard->waits()) {
        const auto move = world_.guard->correction();
        if (!move) {
            return;
        }
        world_.guard->believe();
        clocks_.reset();
        jumped_ = false;
        begin_move(*move, "clock_believed");
    }
    if (moves_left_ > 0) {
        move_times();
    }
}

void Dispatcher::begin_move(const ClockMove& move, std::string_view what) {
    clock_move_ = move;
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
        std::ranges::for_each(group.refill, [](RefillState& state) { state.rewind(); });
    }
    moves_left_ = first_move;
    due_at(world_.clock.wall());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(move.by);
    world_.log.info(what, {{"seconds", seconds.count()}});
    world_.store.keep_event({.at = world_.clock.wall(),
                             .type = EventType::service_notice,
                             .detail = std::string(what)});
}

/// Of a message that was loaded before its row was set right.
void Dispatcher::set_right(OutMessage& message) {
    const auto moves = to_move_.find(message.id);
    if (moves == to_move_.end()) {
        return;
    }
    for (const ClockMove& move : moves->second) {
        if (move.concerns(message.created_at) && !message.scheduled) {
            message.created_at += move.by;
            message.expires_at += move.by;
        }
        if (move.concerns(message.queued_at)) {
            message.queued_at += move.by;
        }
    }
    to_move_.erase(moves);
}

void Dispatcher::move_times() {
    world_.store.move_times(*clock_move_, [this](Result<std::size_t> messages) {
        mailbox_.push(TimesMoved{std::move(messages)});
    });
}

/// Where the disk refused it, the next sweep tries again.
void Dispatcher::on(const TimesMoved& mail) {
    if (mail.messages && moves_left_ > 0) {
        // A small jump would find again what it has moved; and what was on its way is a few milliseconds old.
        moves_left_ = jumped_ ? 0 : moves_left_ - 1;
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
