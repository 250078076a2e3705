#include "src/dispatch/rack_status.hpp"

#include "src/line/time_to_ready.hpp"

#include <utility>

namespace smsrack::dispatch {

ports::RackStatus RackStatusView::status() const {
    ports::RackStatus status{.rate_in = rack_.flow.rate_in(),
                             .rate_out = rack_.flow.rate_out(),
                             .in_memory = rack_.dispatcher.in_memory(),
                             .with_lines = rack_.dispatcher.in_hand()};
    const ports::LevelCounts waiting = rack_.store.waiting();
    for (Level level = 0; level < level_count; ++level) {
        status.levels.at(level) = {.depth = waiting.at(level),
                                   .t_recent_ms = rack_.flow.t_recent_ms(level)};
    }
    status.arrivals = rack_.flow.arrivals();
    status.measured = rack_.flow.waits();
    status.groups = rack_.admission.loads();
    status.pauses = rack_.pauses.shown();
    status.conditions = conditions(status.groups);
    status.ready = is_ready(status.conditions);
    return status;
}

std::vector<ports::Condition> RackStatusView::conditions(
    std::vector<ports::GroupLoad> groups) const {
    RackSeen seen{.lines = rack_.board.lines(),
                  .groups = std::move(groups),
                  .pauses = rack_.pauses.shown(),
                  .clock_doubted = rack_.guard != nullptr && rack_.guard->waits()};
    if (rack_.health != nullptr) {
        seen.store = rack_.health->trouble();
    }
    if (rack_.box) {
        seen.box = rack_.box();
    }
    return conditions_.look(conditions_of(seen), rack_.clock.wall());
}

/// Which lines are in work is asked now: the controller looks only once a period, and not before the first is over.
ports::ScalingView RackStatusView::scaling() const {
    ports::ScalingView view = rack_.scaling.shown();
    const SteadyTime now = rack_.clock.steady();
    view.arrivals = rack_.flow.arrivals();
    for (const ports::LineView& line : rack_.board.lines()) {
        const bool open = line.manual == ports::ManualState::open;
        view.n += open && line.link == ports::LinkState::active ? 1 : 0;
        if (!line.parked) {
            continue;
        }
        view.parked.push_back(line.name);
        const auto ready = line.pause ? std::nullopt : line::time_to_ready(line, now);
        if (ready && (!view.t_ready || *ready < *view.t_ready)) {
            view.t_ready = ready;
        }
    }
    return view;
}

}  // namespace smsrack::dispatch
