/// Opt-outs that persons order at the boxes of a fleet, and what must hold of them.
///
/// Time:    simulated.
#pragma once

#include "src/base/random.hpp"
#include "tests/fleet/days/fleet_box.hpp"
#include "tests/fleet/days/fleet_watch.hpp"
#include "tests/fleet/model/engine_model.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::test {

class FleetOrders {
public:
    /// All outlive the object.
    FleetOrders(Random& random, const EngineModel& engine,
                std::vector<std::unique_ptr<FleetBox>>& boxes, FleetWatch& watch);

    /// One of those that messages are for.
    [[nodiscard]] std::string any_number();
    /// The box is ordered to send nothing more to a number, or to send to it again.
    void draw(std::size_t box);
    /// Ends of opt-outs may be forgotten from now on.
    void engine_is_restored();
    /// What the box has read from the engine, it obeys.
    void begins(std::size_t box, const std::string& to);
    /// All is repaired: the newest order holds at each box that is there.
    void check(const std::function<bool(std::size_t box)>& is_gone);

private:
    struct Order {
        bool holds = false;
        bool is_kept = false;  ///< it was answered that the engine has it
    };

    [[nodiscard]] bool holds_in_engine(const std::string& number) const;
    [[nodiscard]] static bool may_hold(const std::vector<Order>& orders, bool holds);

    Random& random_;
    const EngineModel& engine_;
    std::vector<std::unique_ptr<FleetBox>>& boxes_;
    FleetWatch& watch_;
    std::map<std::string, std::vector<Order>> orders_ = {};  // by number, in order of time
};

}  // namespace smsrack::test
