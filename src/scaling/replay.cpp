#include "src/scaling/replay.hpp"

#include "src/scaling/waiting.hpp"

#include <algorithm>
#include <chrono>

namespace smsrack::scaling {

Replay replay(std::span<const Sample> samples, PolicyName name, const ScalingRules& rules) {
    const auto policy = make_policy(name, rules);
    const double hours = std::chrono::duration<double, std::ratio<3'600>>(rules.period).count();
    WaitingMeter waiting(rules);
    Replay result;
    double messages = 0;  // times the period, which cancels out
    std::uint32_t nodes = rules.n_min;
    for (const Sample& sample : samples) {
        const double wait = waiting.add(sample.load, nodes);
        messages += sample.load;
        result.costs.node_hours += nodes * hours;
        result.costs.wait_by_message += wait * sample.load;
        result.costs.wait_by_time += wait;
        result.costs.backlog_max = std::max(result.costs.backlog_max, waiting.backlog());
        if (auto decision = policy->step(sample, nodes)) {
            result.costs.changes += decision->y > nodes ? decision->y - nodes : nodes - decision->y;
            nodes = decision->y;
            result.decisions.push_back(std::move(*decision));
        }
    }
    result.costs.wait_by_message /= std::max(messages, 1e-300);
    result.costs.wait_by_time /= std::max(static_cast<double>(samples.size()), 1.0);
    return result;
}

}  // namespace smsrack::scaling
