#include "tests/fleet/days/fleet_orders.hpp"

#include "src/cluster/shared_hash.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::test {
namespace {

// Each order takes this share of the messages at most.
constexpr unsigned numbers = 40;

}  // namespace

FleetOrders::FleetOrders(Random& random, const EngineModel& engine,
                         std::vector<std::unique_ptr<FleetBox>>& boxes, FleetWatch& watch)
    : random_(random), engine_(engine), boxes_(boxes), watch_(watch) {}

std::string FleetOrders::any_number() {
    return fmt::format("+336123456{:02}", random_.below(numbers));
}

void FleetOrders::draw(std::size_t box) {
    if (!boxes_.at(box)->runs() || boxes_.at(box)->is_frozen()) {
        return;
    }
    // Of few numbers, so that orders of two boxes meet.
    const std::string number = fmt::format("+336123456{:02}", random_.below(3U));
    const bool holds = random_.below(2U) == 0;
    auto& orders = orders_[number];
    const std::size_t place = orders.size();
    const auto answered = [this, number, place](Kept kept) {
        orders_.at(number).at(place).is_kept = kept != Kept::here;
    };
    orders.push_back({.holds = holds});
    if (!boxes_.at(box)->order(number, holds, answered)) {
        orders.pop_back();
    } else {
        watch_.note(fmt::format("box {} is ordered to send {} to {}", box + 1,
                                holds ? "nothing more" : "again", number));
    }
}

bool FleetOrders::holds_in_engine(const std::string& number) const {
    const auto* const rule =
        engine_.state().rule(ports::RuleKind::opt_out, cluster::shared_hash(number));
    return rule != nullptr && rule->rule.holds;
}

void FleetOrders::begins(std::size_t box, const std::string& to) {
    const auto* const rule =
        engine_.state().rule(ports::RuleKind::opt_out, cluster::shared_hash(to));
    // What a restored engine says of rules is older than what the boxes have read.
    if (rule != nullptr && !engine_.is_forgetful() && rule->rule.holds &&
        rule->mark <= boxes_.at(box)->rules_place().mark && !boxes_.at(box)->has_own_order(to)) {
        watch_.wrong(
            "obeys",
            fmt::format("box {} begins a message to {}, which it has read wants none", box + 1, to),
            "");
    }
}

/// It has forgotten ends of opt-outs, perhaps, and no box puts those back: then more is not sent than was ordered.
void FleetOrders::engine_is_restored() {
    for (auto& [number, orders] : orders_) {
        for (Order& order : orders) {
            order.is_kept = order.is_kept && order.holds;
        }
    }
}

/// One that was not answered may come to the engine at any time; of those that were, the last one counts.
bool FleetOrders::may_hold(const std::vector<Order>& orders, bool holds) {
    const auto last = std::ranges::find(orders.rbegin(), orders.rend(), true, &Order::is_kept);
    return (last == orders.rend() ? !holds : last->holds == holds) ||
           std::ranges::any_of(orders, [holds](const Order& order) {
               return !order.is_kept && order.holds == holds;
           });
}

void FleetOrders::check(const std::function<bool(std::size_t box)>& is_gone) {
    for (const auto& [number, orders] : orders_) {
        const bool holds = holds_in_engine(number);
        if (!may_hold(orders, holds)) {
            watch_.wrong("obeys",
                         fmt::format("{} is {} in the engine, against the last order", number,
                                     holds ? "opted out" : "not opted out"),
                         "");
        }
        for (std::size_t box = 0; box < boxes_.size(); ++box) {
            if (!is_gone(box) && boxes_[box]->is_opted_out(number) != holds) {
                watch_.wrong("obeys",
                             fmt::format("box {} says that {} is {}, and the engine does not",
                                         box + 1, number, holds ? "not opted out" : "opted out"),
                             "");
            }
        }
    }
}

}  // namespace smsrack::test
