#include "src/cluster/desk.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::cluster {

FleetDesk::FleetDesk(ports::ClusterEngine& engine, ports::FleetStore& store, const Clock& clock,
                     Waiter& waiter, const FleetSettings& settings, const BoxSide& box)
    : settings_(settings),
      jobs_(waiter),
      world_{.engine = engine,
             .store = store,
             .clock = clock,
             .desk = *this,
             .settings = settings_,
             .give_up = box.give_up},
      seat_(world_, box.report,
            [this] { return HasRead{.rules = rules_.mark(), .mail = mail_.mark()}; }),
      orders_(world_, seat_),
      check_(world_, seat_),
      firmer_(world_, seat_),
      putter_(
          world_, seat_,
          [this, groups = box.groups] { return !wishes_of(groups(), settings_.ahead).empty(); },
          box.conflict, followers_, [this] { firmer_.handed_in(); },
          [this] { taker_.some_wait(); }),
      taker_(
          world_, seat_, box.groups, [this] { firmer_.wake(); }, followers_),
      settler_(world_, seat_),
      expirer_(world_, seat_),
      sweeper_(world_, seat_),
      upgrader_(world_, seat_, box.upgrade,
                [this] {
                    if (changed_) {
                        changed_();
                    }
                }),
      questions_(world_, seat_, box.answer),
      mail_(world_, seat_, upgrader_, questions_),
      watchman_(world_, seat_),
      loner_(world_, seat_, box.groups),
      giver_(world_, seat_),
      forgetter_(world_, seat_),
      teller_(world_, seat_),
      rules_(world_, seat_, teller_),
      sims_(world_, seat_),
      scaler_(world_, seat_, settings_.scaling, box.scaling),
      returner_(
          world_, seat_,
          [this] {
              putter_.wake();
              settler_.wake();
          },
          [this] { rules_.look_up_again(); }),
      strays_(world_, seat_),
      tasks_{&check_,   &firmer_, &putter_,   &taker_,  &settler_,  &expirer_,
             &sweeper_, &mail_,   &watchman_, &loner_,  &giver_,    &forgetter_,
             &teller_,  &rules_,  &sims_,     &scaler_, &returner_, &strays_},
      changed_(box.changed) {
    engine.on_notice([this](ports::EngineNotice notice) {
        post([this, notice] {
            const auto& seat = seat_.seat();
            if (notice.mail_to == BoxNumber{}) {
                rules_.notice();
            } else if (seat && seat->box == notice.mail_to) {
                mail_.notice();
            }
        });
    });
}

FleetDesk::~FleetDesk() {
    world_.engine.on_notice({});
}

void FleetDesk::wake(bool stop) {
    post([this, stop] {
        putter_.wake();
        taker_.wake();
        settler_.wake();
        loner_.wake();
        if (stop) {
            teller_.wake();
        }
    });
}

void FleetDesk::follow(ports::Accepted accepted, ports::FleetChecks checks,
                       ports::Done<ports::Accepted> done) {
    putter_.wake();
    loner_.wake();
    const auto away = seat_.away_for();
    const bool waits_in_vain = away && *away >= settings_.accept_wait;
    const MessageId id = accepted.id;
    followers_.add(std::move(accepted), checks, std::move(done),
                   world_.clock.steady() + settings_.accept_wait);
    if (waits_in_vain) {
        answer_alone(id);
    }
}

void FleetDesk::follow_rules(ports::Done<Kept> done) {
    const auto away = seat_.away_for();
    if (away && *away >= settings_.accept_wait) {
        teller_.wake();
        return done(Kept::here);
    }
    teller_.wait(std::move(done), world_.clock.steady() + settings_.accept_wait);
}

void FleetDesk::follow_sim(ModemId line, SimSharer::InSlot sim, SimSharer::Told told) {
    post([this, line, sim = std::move(sim), told = std::move(told)]() mutable {
        sims_.follow(line, std::move(sim), std::move(told));
    });
}

void FleetDesk::leave_sim(ModemId line) {
    post([this, line] { sims_.leave(line); });
}

/// With alone = "refuse" it is taken back, unless the engine may have it.
void FleetDesk::answer_alone(MessageId message) {
    if (!settings_.refuses_alone) {
        return followers_.answer(message);
    }
    world_.ask(world_.store,
               ports::EndElsewhere{.message = message,
                                   .state = MessageState::cancelled,
                                   .detail = "cluster_away",
                                   .at = world_.clock.wall(),
                                   .only_here = true,
                                   .forgets_ref = true},
               [this, message](const Result<MessageState>& taken_back) {
                   if (taken_back) {
                       followers_.refuse(message, engine_away());
                   } else {
                       followers_.answer(message);
                   }
               });
}

void FleetDesk::run_jobs() {
    jobs_.take_all(running_);
    for (Job& job : running_) {
        job();
    }
}

SteadyTime FleetDesk::step(SteadyTime now) {
    run_jobs();
    const SteadyTime next = seat_.step(now);
    const SteadyTime orders_step = orders_.step();
    const SteadyTime scaler_step = scaler_.step(now);
    // What is due gets its turn below.
    std::ranges::for_each(tasks_, [now](Task* task) { task->wake_if_due(now); });
    const auto own = seat_.own_row();
    const std::int64_t beats = own ? own->beats : -1;
    if (beats != beats_seen_ || seat_.state() != state_seen_) {
        beats_seen_ = beats;
        state_seen_ = seat_.state();
        std::ranges::for_each(tasks_, &Task::wake);
        if (changed_) {
            changed_();
        }
    }
    give_turns();
    for (const ports::Accepted& one : followers_.take_overdue(now)) {
        answer_alone(one.id);
    }
    teller_.answer_overdue(now);
    SteadyTime first = std::min({next, questions_.step(now), sims_.step(now), orders_step,
                                 scaler_step, followers_.next_overdue(), teller_.next_overdue()});
    for (const Task* task : tasks_) {
        first = std::min(first, task->due());
    }
    return first;
}

/// One parts with what is not held any more, the other may have just taken it again.
bool FleetDesk::is_excluded(const Task* task) const {
    const bool moves = task == &taker_ || task == &firmer_ || task == &giver_;
    const auto runs_besides = [task](const Task& other) { return task != &other && other.runs(); };
    return moves && (runs_besides(taker_) || runs_besides(firmer_) || runs_besides(giver_));
}

void FleetDesk::end() {
    orders_.end();
    run_jobs();
    questions_.end();
    followers_.answer_all();
    teller_.answer_all();
}

void FleetDesk::give_turns() {
    if (seat_.state() == SeatState::comparing) {
        // What an earlier seat was answered is in the store first.
        if (std::ranges::none_of(tasks_, &Task::runs)) {
            check_.turn();
        }
        return;
    }
    for (Task* task : tasks_) {
        if (!is_excluded(task)) {
            task->turn();
        }
    }
}

}  // namespace smsrack::cluster
