#include "src/cluster/seat_keeper.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {

SeatKeeper::SeatKeeper(const FleetWorld& world, std::function<ports::BoxReport()> report)
    : world_(world),
      report_(std::move(report)),
      away_since_(world.clock.steady()),
      permission_(world.settings.alone, world.clock) {}

bool SeatKeeper::move(SeatEvent event) {
    const auto to = next(seat_rules, state_, event);
    state_ = to.value_or(state_);
    return to.has_value();
}

SteadyTime SeatKeeper::step(SteadyTime now) {
    if (now >= next_ && state_ == SeatState::away) {
        enter(now);
    } else if (now >= next_ && seat_ && state_ != SeatState::entering && !beats_) {
        beat(now);
    }
    // An answer comes as a job, which wakes the desk.
    const bool waits = state_ == SeatState::entering || (state_ != SeatState::away && beats_);
    return waits ? never : next_;
}

void SeatKeeper::enter(SteadyTime now) {
    (void)move(SeatEvent::asks);
    seat_.reset();
    next_ = now + enter_every;
    world_.ask(world_.engine,
               ports::EnterFleet{.who = world_.settings.who, .release = world_.settings.release},
               [this](Result<ports::Seat> seat) {
                   if (!seat) {
                       lost(seat.error());
                   } else if (move(SeatEvent::entered)) {
                       seat_ = *seat;
                       next_ = {};
                   }
               });
}

void SeatKeeper::beat(SteadyTime now) {
    constexpr int beats_a_lease = 5;
    next_ = now + world_.settings.lease / beats_a_lease;
    beats_ = true;
    const bool counts = is_seated();
    const auto sent = world_.clock.since_boot();
    ports::BoxReport report = report_();
    report.wall = world_.clock.wall();
    world_.ask(world_.engine, ports::Beat{.seat = *seat_, .report = std::move(report)},
               [this, seat = *seat_, sent, counts, now](Result<ports::Fleet> fleet) {
                   beats_ = false;
                   if (!fleet) {
                       return note(seat, fleet.error());
                   }
                   if (counts && seat_ == seat && is_seated()) {
                       permission_.answered(sent);
                   }
                   heard(*fleet, now);
               });
}

void SeatKeeper::heard(const ports::Fleet& fleet, SteadyTime asked) {
    for (const ports::BoxRow& row : fleet.boxes) {
        const auto before = std::ranges::find(fleet_.boxes, row.box, &ports::BoxRow::box);
        // Only a beat that came since the last question says what the other clock shows now.
        if (before != fleet_.boxes.end() && before->report.wall != row.report.wall) {
            ahead_[row.box] = world_.clock.wall() - row.report.wall;
        }
    }
    fleet_ = fleet;
    watch_.look(fleet_.boxes, asked, world_.clock.steady());
}

void SeatKeeper::compared(ports::Seat seat) {
    if (seat_ == seat && move(SeatEvent::compared)) {
        next_ = {};  // the beat that lets it begin
        trouble_.clear();
    }
}

void SeatKeeper::note(ports::Seat seat, const Error& error) {
    const bool is_lost = error.code == Errc::closed || error.code == Errc::outcome_unknown ||
                         (error.code == Errc::conflict && error.detail == ports::epoch_outdated);
    if (is_lost && seat_ == seat) {
        lost(error);
        next_ = {};
    }
}

void SeatKeeper::lost(const Error& error) {
    if (is_seated()) {
        away_since_ = world_.clock.steady();
    }
    if (move(SeatEvent::lost)) {
        trouble_ = error.context.empty() ? std::string(errc_name(error.code)) : error.context;
    }
}

bool SeatKeeper::takes_work() const {
    const auto own = own_row();
    return !own || own->life == ports::BoxLife::running;
}

std::optional<SteadyTime::duration> SeatKeeper::away_for() const {
    return is_seated() ? std::nullopt : std::optional(world_.clock.steady() - away_since_);
}

std::optional<std::chrono::milliseconds> SeatKeeper::ahead_of(BoxNumber box) const {
    const auto ahead = ahead_.find(box);
    return ahead == ahead_.end() ? std::nullopt : std::optional(ahead->second);
}

std::optional<ports::BoxRow> SeatKeeper::own_row() const {
    if (!seat_) {
        return std::nullopt;
    }
    const auto row = std::ranges::find(fleet_.boxes, seat_->box, &ports::BoxRow::box);
    return row == fleet_.boxes.end() ? std::nullopt : std::optional(*row);
}

}  // namespace smsrack::cluster
