/// How long a message waits with n nodes: the measure for comparing policies.
///
/// Wq of M/M/n at (load, mu = F) where the nodes carry the load, and the fluid backlog/(n*F) of what
/// they did not carry, which stays until it is worked off.
/// Unit:    seconds; messages per second.
/// Source:  [Elastic], [SMSEngine].
#pragma once

#include "src/scaling/rules.hpp"

#include <cstdint>

namespace smsrack::scaling {

/// 0 where the load is 0, or not below what the nodes carry: there the backlog speaks.
[[nodiscard]] double queue_wait(double load, std::uint32_t nodes, double node_rate);

/// What stays of a backlog (messages) after `seconds`.
[[nodiscard]] double backlog_after(double backlog, double load, std::uint32_t nodes,
                                   double node_rate, double seconds);

class WaitingMeter {
public:
    /// `rules` outlives it.
    explicit WaitingMeter(const ScalingRules& rules) : rules_(rules) {}

    /// One period at this load: what a message of it waits, on the mean.
    double add(double load, std::uint32_t nodes);

    /// Messages that wait beyond what the queue has in balance.
    [[nodiscard]] double backlog() const { return backlog_; }

private:
    const ScalingRules& rules_;
    double backlog_ = 0;
};

}  // namespace smsrack::scaling
