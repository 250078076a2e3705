/// One thing that the desk does again and again, a step of the engine or the store at a time.
///
/// A round is a chain of questions and commands; the next one begins when the one before has ended. A round that
/// found as much as it may do at a time is followed by another one at once.
/// Threads: the desk's.
#pragma once

#include "src/cluster/fleet_world.hpp"
#include "src/cluster/seat_keeper.hpp"

#include <algorithm>
#include <cstddef>

namespace smsrack::cluster {

class Task {
public:
    /// All outlive the object.
    Task(const FleetWorld& world, SeatKeeper& seat) : world_(world), seat_(seat) {}
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    virtual ~Task() = default;

    /// There may be something to do.
    void wake() { wanted_ = true; }
    /// When it wants to be woken; `never`: it has named no time.
    [[nodiscard]] SteadyTime due() const { return due_; }
    void wake_if_due(SteadyTime now) {
        if (now >= due_) {
            due_ = never;
            wake();
        }
    }
    /// Begins a round, if one is wanted, none runs and this box has its seat.
    void turn() {
        if (wanted_ && !runs_ && may_run()) {
            wanted_ = false;
            runs_ = true;
            begin();
        }
    }
    [[nodiscard]] bool runs() const { return runs_; }

protected:
    virtual void begin() = 0;
    [[nodiscard]] virtual bool may_run() const { return seat_.is_seated(); }

    /// The round has ended. `more`: another one follows.
    void end(bool more = false) {
        runs_ = false;
        wanted_ = wanted_ || more;
    }
    void wake_at(SteadyTime at) { due_ = std::min(due_, at); }
    /// The store has not kept what the engine did for this box: entering again undoes it.
    void lose(ports::Seat seat) {
        seat_.note(seat, {.code = Errc::outcome_unknown});
        end();
    }
    /// It has ended since an answer did not come, or was an error; it is tried again when the desk wakes it.
    void give_up(ports::Seat seat, const Error& error) {
        seat_.note(seat, error);
        end();
    }

    const FleetWorld& world_;
    SeatKeeper& seat_;

private:
    bool wanted_ = true;
    bool runs_ = false;
    SteadyTime due_ = never;
};

/// Of one round, so that a round takes milliseconds.
inline constexpr std::size_t round_max = ports::fleet_batch_max;

}  // namespace smsrack::cluster
