/// The faults of a fleet in simulated time: of links, boxes, clocks and the engine, each kind equally likely.
///
/// Not among them: an engine that was restored to an earlier point. The desk alone can't survive that: what was
/// settled behind that point waits there again. The contract's answer is `cluster rebuild`, which the product
/// does not have yet.
/// Time:    simulated; the same random numbers give the same faults.
#pragma once

#include "src/base/random.hpp"
#include "tests/fleet/days/fleet_box.hpp"
#include "tests/fleet/days/fleet_counts.hpp"
#include "tests/fleet/days/fleet_orders.hpp"
#include "tests/fleet/days/fleet_watch.hpp"
#include "tests/fleet/model/engine_model.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::test {

/// Does something after a time.
using Later = std::function<void(std::chrono::milliseconds after, std::function<void()> what)>;

class FleetTrouble {
public:
    /// All outlive the object. `away`: a box that is silent for longer was decided by others.
    FleetTrouble(Random& random, EngineModel& engine, std::vector<std::unique_ptr<FleetBox>>& boxes,
                 FleetWatch& watch, FleetOrders& orders, std::chrono::milliseconds away,
                 Later later);

    /// One fault, whichever; it ends by itself.
    void draw();
    /// The process of one box ends, somewhere in what it does; dies() says when it did.
    void kill();
    /// This box ends now, and does not come back.
    void take_away(std::size_t box);
    /// Its process has ended: it comes back, for a moment or for longer than it may be alone, or never.
    void died(std::size_t box);
    /// The engine is set back to a state of before; a person orders the rebuild.
    void restore();
    /// Everything works from now on; boxes that are gone stay so.
    void repair();
    /// No box drains any more.
    void resume_all();

    [[nodiscard]] bool is_gone(std::size_t box) const { return gone_.at(box); }
    [[nodiscard]] FleetTotals counts() const;

private:
    void cut();
    void stall_link();
    void stall_engine();
    void change_primary(std::chrono::milliseconds down);
    void lose_standby();
    void fill_disk();
    void hold_mail();
    void move_date();
    void freeze();
    void suspend();
    void drain();
    void declare_dead(std::size_t box);
    void order_rebuild(int waited = 0);
    [[nodiscard]] bool are_all_seated() const;

    [[nodiscard]] std::size_t any_box() { return random_.below(boxes_.size()); }
    /// A subset of them that is not empty.
    [[nodiscard]] std::vector<std::size_t> some_boxes();
    [[nodiscard]] std::chrono::milliseconds some_time(std::chrono::milliseconds longest);
    /// By the seat of any box that has one; false: none has.
    bool set_life(std::size_t box, ports::BoxLife life);
    void happens(FleetCount what, std::string words);

    Random& random_;
    EngineModel& engine_;
    std::vector<std::unique_ptr<FleetBox>>& boxes_;
    FleetWatch& watch_;
    FleetOrders& orders_;
    const std::chrono::milliseconds away_;
    Later later_;
    std::vector<bool> gone_;
    FleetTotals totals_ = {};
};

}  // namespace smsrack::test
