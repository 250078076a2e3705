/// The cost of a policy compared with the reference, over the same samples.
///
/// Waiting is kept twice, by message and by time, so that the comparison does not hang on how a mean
/// is taken: a price must be payable in both.
/// Unit:    saved node-samples (one node for one period); saved seconds of waiting times the load,
///          and times the periods.
#pragma once

#include "src/scaling/waiting.hpp"

#include <cstdint>

namespace smsrack::scaling {

struct WaitPrice {
    double by_message = 0;
    double by_time = 0;
};

class Ledger {
public:
    explicit Ledger(const ScalingRules& rules) : rules_(rules), own_(rules), reference_(rules) {}

    /// One period that passed with `nodes`, where the reference would have had `reference` nodes.
    void add(double load, std::uint32_t nodes, std::uint32_t reference) {
        nodes_ += static_cast<double>(reference) - static_cast<double>(nodes);
        const double saved = reference_.add(load, reference) - own_.add(load, nodes);
        saved_.by_message += saved * load;
        saved_.by_time += saved;
    }

    [[nodiscard]] double nodes() const { return nodes_; }
    [[nodiscard]] double backlog() const { return own_.backlog(); }

    /// What is waited more in `periods` at this load with `fewer` nodes than with one more; what
    /// does not go out at once counts as if it stayed for a window.
    [[nodiscard]] WaitPrice price(double load, std::uint32_t fewer, double periods) const;

    /// Is the price within a third of what was saved? The load may rise meanwhile.
    [[nodiscard]] bool can_pay(const WaitPrice& price) const {
        constexpr double margin = 3;
        return margin * price.by_message <= saved_.by_message &&
               margin * price.by_time <= saved_.by_time;
    }

private:
    const ScalingRules& rules_;
    WaitingMeter own_;
    WaitingMeter reference_;
    double nodes_ = 0;
    WaitPrice saved_ = {};
};

}  // namespace smsrack::scaling
