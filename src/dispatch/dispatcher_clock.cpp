// The dispatcher's watch on the clock, and on itself.
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {

/// A clock that was not believed at the start: from here on it is, and what was dated meanwhile is set right.
void Dispatcher::check_clock() {
    if (world_.guard != nullptr && world_.guard->waits()) {
        clock_move_ = world_.guard->correction();
        if (!clock_move_) {
            return;
        }
        world_.guard->believe();
        for (Group& group : groups_) {
            group.waiting.move_times(*clock_move_);
        }
        moves_left_ = first_move;
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(clock_move_->by);
        world_.log.info("clock_believed", {{"seconds", seconds.count()}});
        world_.store.keep_event({.at = world_.clock.wall(),
                                 .type = EventType::service_notice,
                                 .detail = "clock_believed"});
    }
    if (moves_left_ > 0) {
        move_times();
    }
}

void Dispatcher::move_times() {
    world_.store.move_times(*clock_move_, [this](Result<std::size_t> messages) {
        mailbox_.push(TimesMoved{std::move(messages)});
    });
}

/// Where the disk refused it, the next sweep tries again.
void Dispatcher::on(const TimesMoved& mail) {
    if (mail.messages && moves_left_ > 0) {
        --moves_left_;
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
    if (stopping_ || quota_waits || std::ranges::none_of(groups_, starves)) {
        starves_since_.store(never.time_since_epoch().count(), std::memory_order_relaxed);
    } else if (starves_since() == never) {
        starves_since_.store(now_.time_since_epoch().count(), std::memory_order_relaxed);
    }
}

}  // namespace smsrack::dispatch
