#include "src/cluster/seat_keeper.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {

SeatKeeper::SeatKeeper(const FleetWorld& world, std::function<ports::BoxReport()> report,
                       std::function<HasRead()> has_read)
    : world_(world),
      report_(std::move(report)),
      has_read_(std::move(has_read)),
      away_since_(world.clock.steady()),
      permission_(world.settings.alone, world.clock) {}

bool SeatKeeper::move(SeatEvent event) {
    const auto to = next(seat_rules, state_, event);
    state_ = to.value_or(state_);
    return to.has_value();
}

SteadyTime SeatKeeper::step(SteadyTime now) {
    if (now >= next_ && state_ == SeatState::away) {
        is_looked_up_ ? enter(now) : look_up();
    } else if (now >= next_ && seat_ && state_ != SeatState::entering && !beats_ && !doubts_) {
        beat(now);
    }
    // An answer comes as a job, which wakes the desk.
    const bool waits =
        state_ == SeatState::entering || (state_ != SeatState::away && (beats_ || doubts_));
    return waits ? never : next_;
}

void SeatKeeper::look_up() {
    next_ = world_.clock.steady() + enter_every;
    world_.look([](ports::FleetReader& reader) { return reader.engine(); },
                [this](Result<std::optional<ports::EngineMemory>> memory) {
                    if (memory && !is_looked_up_) {
                        memory_ = *std::move(memory);
                        is_looked_up_ = true;
                        next_ = {};
                    }
                });
}

void SeatKeeper::enter(SteadyTime now) {
    (void)move(SeatEvent::asks);
    seat_.reset();
    next_ = now + enter_every;
    world_.ask(world_.engine,
               ports::EnterFleet{.who = world_.settings.who,
                                 .after = entry_.seat.epoch,
                                 .release = world_.settings.release},
               [this](const Result<ports::Entry>& entry) {
                   if (!entry) {
                       lost(entry.error());
                   } else {
                       entered(*entry);
                   }
               });
}

/// A rebuild that was ordered comes before any doubt: this box puts back what the engine has forgotten.
void SeatKeeper::entered(const ports::Entry& entry) {
    const bool is_closed = entry.is_doubted || (entry.has_put_back && has_forgotten(entry));
    const bool is_other = memory_ && memory_->engine.name != entry.engine.name;
    const bool has_put_back = entry.has_put_back && !is_other;
    const bool returns = !has_put_back || !entry.all_have;
    const SeatEvent event = is_closed ? SeatEvent::doubted
                            : returns ? SeatEvent::asked
                                      : SeatEvent::entered;
    if (!move(event)) {
        return;
    }
    if (entry.engine != entry_.engine || entry.beats <= entry_.beats) {
        ++returns_;
    }
    seat_ = entry.seat;
    last_look_.reset();  // it may be another engine, or an older state of it
    entry_ = entry;
    entry_.has_put_back = has_put_back;
    next_ = {};
    if (is_closed) {
        trouble_ = "the engine has forgotten what it had answered";
        if (!entry.is_doubted) {
            doubt();
        }
    } else if (returns) {
        trouble_ = "boxes put back what they have";
    } else {
        remember(entry.beats);
    }
}

/// It was restored from a backup.
bool SeatKeeper::has_forgotten(const ports::Entry& entry) const {
    return memory_ && memory_->engine.name == entry.engine.name &&
           (memory_->engine.life != entry.engine.life || entry.beats <= memory_->beats);
}

WallTime SeatKeeper::known_at() const {
    return entry_.wall > world_.clock.wall() ? WallTime{} : entry_.wall;
}

void SeatKeeper::doubt() {
    doubts_ = true;
    world_.ask(world_.engine, ports::Doubt{.seat = *seat_},
               [this, seat = *seat_](const Result<>& noted) {
                   doubts_ = false;
                   next_ = {};
                   if (!noted && seat_ == seat) {
                       next_ = world_.clock.steady() + enter_every;
                       lost(noted.error());  // as long as it is not noted, it is said again
                   }
               });
}

/// On the disk before the engine counts this box as one that has: after a power cut between, it puts back once more.
void SeatKeeper::put_back(ports::Seat seat) {
    if (seat_ != seat || !is_returning()) {
        return;
    }
    memory_ = {.engine = entry_.engine, .beats = entry_.beats};
    world_.ask(world_.store, ports::KeepEngine{*memory_}, [this, seat](const Result<>& kept) {
        if (kept && seat_ == seat) {
            note_put_back(seat);
        }
    });
}

void SeatKeeper::note_put_back(ports::Seat seat) {
    world_.ask(world_.engine, ports::NotePutBack{.seat = seat},
               [this, seat](const Result<bool>& noted) {
                   if (!noted) {
                       return note(seat, noted.error());
                   }
                   if (seat_ == seat && !std::exchange(entry_.has_put_back, true)) {
                       next_ = {};  // the beats behind it come as always
                   }
               });
}

/// `beats`: that the engine has counted, as it answered under this seat.
void SeatKeeper::remember(std::int64_t beats) {
    const bool is_other = !memory_ || memory_->engine != entry_.engine;
    memory_ = {.engine = entry_.engine, .beats = beats};
    const SteadyTime now = world_.clock.steady();
    if (is_other || now >= remembers_at_) {
        remembers_at_ = now + remember_every;
        world_.ask(world_.store, ports::KeepEngine{*memory_}, [](const Result<>& /*kept*/) {});
    }
}

void SeatKeeper::beat(SteadyTime now) {
    next_ = now + world_.settings.lease / beats_a_lease;
    beats_ = true;
    const bool counts = is_seated();
    const auto sent = world_.clock.since_boot();
    ports::BoxReport report = report_();
    if (counts || state_ == SeatState::comparing) {
        report.wall = world_.clock.wall();
    }
    const HasRead read = has_read_();
    world_.ask(
        world_.engine,
        ports::Beat{
            .seat = *seat_, .report = std::move(report), .rules = read.rules, .mail = read.mail},
        [this, seat = *seat_, sent, counts, now, read](Result<ports::Fleet> fleet) {
            beats_ = false;
            if (!fleet) {
                return note(seat, fleet.error());
            }
            if (counts && seat_ == seat && is_seated()) {
                permission_.answered(sent);
            }
            heard(*fleet, now);
            if (seat_ == seat) {
                last_look_ = LastLook{.read = read,
                                      .since_boot = sent,
                                      .has_rules = fleet->has_rules,
                                      .has_mail = fleet->has_mail};
                answered(seat);
            }
        });
}

/// A beat under this seat, which is the newest.
void SeatKeeper::answered(ports::Seat seat) {
    const auto own = own_row();
    if (!own) {
        return;
    }
    if (own->beats <= entry_.beats) {
        return note(seat, {.code = Errc::outcome_unknown, .context = "the engine counts back"});
    }
    entry_.beats = own->beats;
    if (state_ == SeatState::comparing || is_seated()) {
        remember(own->beats);
    } else if (state_ == SeatState::returning && entry_.has_put_back) {
        if (!all_are_back()) {
            note_put_back(seat);
        } else if (move(SeatEvent::all_back)) {
            trouble_.clear();
        }
    }
}

bool SeatKeeper::all_are_back() const {
    return std::ranges::none_of(fleet_.boxes, &ports::BoxRow::is_waited_for);
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

bool SeatKeeper::is_running(const ports::BoxRow& box) const {
    const bool beats =
        watch_.silence(box.box).value_or(SteadyTime::duration::zero()) < world_.settings.lease;
    return beats && (box.life == ports::BoxLife::running || box.life == ports::BoxLife::draining);
}

std::optional<ports::BoxRow> SeatKeeper::own_row() const {
    if (!seat_) {
        return std::nullopt;
    }
    const auto row = std::ranges::find(fleet_.boxes, seat_->box, &ports::BoxRow::box);
    return row == fleet_.boxes.end() ? std::nullopt : std::optional(*row);
}

}  // namespace smsrack::cluster
