#include "src/scaling/waiting.hpp"

#include "src/model/mmc.hpp"

#include <algorithm>

namespace smsrack::scaling {

double queue_wait(double load, std::uint32_t nodes, double node_rate) {
    const auto figures = model::mmc({.lambda = load, .mu = node_rate, .servers = nodes});
    return figures ? figures->wq : 0;
}

double backlog_after(double backlog, double load, std::uint32_t nodes, double node_rate,
                     double seconds) {
    return std::max(0.0, backlog + (load - nodes * node_rate) * seconds);
}

double WaitingMeter::add(double load, std::uint32_t nodes) {
    const double seconds = std::chrono::duration<double>(rules_.period).count();
    backlog_ = backlog_after(backlog_, load, nodes, rules_.node_rate, seconds);
    return queue_wait(load, nodes, rules_.node_rate) + backlog_ / (nodes * rules_.node_rate);
}

}  // namespace smsrack::scaling
