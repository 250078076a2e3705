#include "src/dispatch/rack_status.hpp"

#include "src/line/time_to_ready.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {

ports::RackStatus RackStatusView::status() const {
    ports::RackStatus status{.rate_in = flow_.rate_in(),
                             .rate_out = flow_.rate_out(),
                             .in_memory = dispatcher_.in_memory(),
                             .with_lines = dispatcher_.in_hand()};
    const ports::LevelCounts waiting = store_.waiting();
    for (Level level = 0; level < level_count; ++level) {
        status.levels.at(level) = {.depth = waiting.at(level),
                                   .t_recent_ms = flow_.t_recent_ms(level)};
    }
    status.arrivals = flow_.arrivals();
    status.measured = flow_.waits();
    status.groups = admission_.loads();
    status.pauses = pauses_.shown();
    status.conditions = conditions();
    status.ready = is_ready(status.conditions);
    return status;
}

std::vector<ports::Condition> RackStatusView::conditions() const {
    RackSeen seen{.lines = board_.lines(),
                  .pauses = pauses_.shown(),
                  .clock_doubted = health_.guard != nullptr && health_.guard->waits()};
    if (health_.store != nullptr) {
        seen.store = health_.store->trouble();
    }
    if (health_.box) {
        seen.box = health_.box();
    }
    return conditions_.look(conditions_of(seen), clock_.wall());
}

/// Which lines are in work is asked now: the controller looks only once a period, and not before the first is over.
ports::ScalingView RackStatusView::scaling() const {
    ports::ScalingView view = scaling_.shown();
    const SteadyTime now = clock_.steady();
    view.arrivals = flow_.arrivals();
    for (const ports::LineView& line : board_.lines()) {
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
