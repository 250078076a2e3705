/// What people order of the engine, each order under the seat that this box has then.
///
/// A seat may have ended, or the connection been lost, without this box knowing it yet. Then the engine has done nothing, and the
/// order is given again under the next seat. One that comes while this box takes its seat waits for that.
/// Time:    after `patience` it is not given any more, but refused.
/// Bound:   the requests that wait for an answer.
/// Errors:  those of the command; cluster_away.
/// Threads: the desk's.
#pragma once

#include "src/cluster/fleet_world.hpp"
#include "src/cluster/seat_keeper.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace smsrack::cluster {

class Orders {
public:
    static constexpr std::chrono::milliseconds patience{4'000};

    /// Both outlive the object.
    Orders(const FleetWorld& world, SeatKeeper& seat) : world_(world), seat_(seat) {}

    /// `command`: of a seat, without an answer.
    template <typename Command>
    void give(Command command, ports::Done<void> done) {
        give({.ask =
                  [this, command = std::move(command)](ports::Seat seat,
                                                       ports::Done<void> then) mutable {
                      command.seat = seat;
                      world_.ask(world_.engine, command, std::move(then));
                  },
              .done = std::move(done),
              .until = world_.clock.steady() + patience});
    }

    /// Gives what waits for a seat, where there is one. Returns when it wants to be called again.
    SteadyTime step();
    /// Refuses all, also those that come later: no seat follows.
    void end();

private:
    struct Order {
        std::move_only_function<void(ports::Seat seat, ports::Done<void> then)> ask;
        ports::Done<void> done;
        SteadyTime until;
        std::optional<ports::Seat> ended = {};  // under which it was refused
    };

    void give(Order order);
    void give_under(ports::Seat seat, Order order);

    const FleetWorld& world_;
    SeatKeeper& seat_;
    std::vector<Order> waiting_ = {};
    bool is_over_ = false;
};

}  // namespace smsrack::cluster
