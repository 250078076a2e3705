#include "src/cluster/desk.hpp"

#include <algorithm>

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
      seat_(world_, box.report),
      check_(world_, seat_),
      firmer_(world_, seat_),
      putter_(
          world_, seat_,
          [this, groups = box.groups] { return !wishes_of(groups(), settings_.ahead).empty(); },
          box.conflict),
      taker_(world_, seat_, box.groups, [this] { firmer_.wake(); }),
      settler_(world_, seat_),
      expirer_(world_, seat_),
      sweeper_(world_, seat_),
      mail_(world_, seat_),
      watchman_(world_, seat_),
      tasks_{&check_,   &firmer_,  &putter_, &taker_,   &settler_,
             &expirer_, &sweeper_, &mail_,   &watchman_} {}

void FleetDesk::wake() {
    post([this] {
        for (Task* task : tasks_) {
            task->wake();
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
    const auto own = seat_.own_row();
    const std::int64_t beats = own ? own->beats : -1;
    if (beats != beats_seen_ || seat_.state() != state_seen_) {
        beats_seen_ = beats;
        state_seen_ = seat_.state();
        std::ranges::for_each(tasks_, &Task::wake);
    }
    give_turns();
    return next;
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
        // One parts with what is not held any more, the other may have just taken it again.
        const bool excluded =
            (task == &taker_ && firmer_.runs()) || (task == &firmer_ && taker_.runs());
        if (!excluded) {
            task->turn();
        }
    }
}

}  // namespace smsrack::cluster
