#include "src/scaling/policy_smsrack.hpp"

#include <algorithm>

namespace smsrack::scaling {

/// Nodes that came or went without us (a crash, the operator, one that is back) did so for the
/// reference.
void SmsrackPolicy::follow_the_world(std::uint32_t nodes) {
    if (!reference_) {
        reference_ = nodes;
    } else {
        const auto moved = static_cast<std::int64_t>(nodes) - static_cast<std::int64_t>(expected_);
        reference_ = static_cast<std::uint32_t>(
            std::clamp(static_cast<std::int64_t>(*reference_) + moved, std::int64_t{1},
                       static_cast<std::int64_t>(std::max(rules_.n_max, nodes))));
    }
}

/// The reference will step out at the end of the window. Node-hours are lent for that while the
/// account of waiting is not yet worth it, or where messages pile up.
SmsrackPolicy::Move SmsrackPolicy::out_of_turn(double load, std::uint32_t nodes) const {
    const auto left = static_cast<double>(window_.missing());
    const WaitPrice gain = ledger_.price(load, nodes, left);
    const auto loan_max = static_cast<double>(rules_.samples);
    const bool urgent = ledger_.backlog() > 0;
    const bool from_savings = ledger_.nodes() >= left;
    const bool on_loan = ledger_.nodes() >= 0 && !ledger_.can_pay(gain);
    if (gain.by_message <= 0 || (!from_savings && ledger_.nodes() - left < -loan_max)) {
        return {};
    }
    return urgent || from_savings || on_loan ? Move{1, Rule::early} : Move{};
}

/// The reference has stepped out. While node-hours are owed, and waiting was saved, it is put off.
SmsrackPolicy::Move SmsrackPolicy::owed_out(double load, std::uint32_t nodes,
                                            bool undone_soon) const {
    const bool in_debt = ledger_.nodes() < 0;
    const bool carried = ledger_.backlog() == 0 && !above(load, nodes * rules_.node_rate);
    const bool payable = carried && ledger_.can_pay(ledger_.price(load, nodes, 1));
    return (in_debt || undone_soon) && payable ? Move{0, Rule::late} : Move{1, {}};
}

/// The reference will step in at the end of the window.
SmsrackPolicy::Move SmsrackPolicy::in_of_turn(double load, std::uint32_t nodes) const {
    const auto left = static_cast<double>(window_.missing());
    const bool flaps = window_.would_be_busy(nodes - 1);
    const bool payable = ledger_.can_pay(ledger_.price(load, nodes - 1, left));
    return !flaps && payable ? Move{-1, Rule::early} : Move{};
}

/// The reference has stepped in. Where that will be undone, the node stays while node-hours are left.
SmsrackPolicy::Move SmsrackPolicy::owed_in(std::uint32_t nodes, std::uint32_t due,
                                           bool undone_soon) const {
    const bool flaps = undone_soon || window_.would_be_busy(due);
    const bool payable = ledger_.nodes() >= 1;
    return flaps && payable && nodes - due == 1 ? Move{0, Rule::kept} : Move{-1, {}};
}

SmsrackPolicy::Move SmsrackPolicy::move(const Sample& sample, std::uint32_t nodes) const {
    const bool full = window_.full();
    const std::uint32_t sure =
        clamped(*reference_, full ? window_.x() : window_.certain_x(), rules_);
    const std::uint32_t due = full ? sure : *reference_;
    if (sure > nodes && sample.crashed > down_before_) {
        return {1, Rule::early};
    }
    if (ahead_ && sure == nodes) {
        return {};
    }
    const double highest = *std::ranges::max_element(recent_);
    if (due > nodes) {
        return owed_out(highest, nodes, sure == nodes);
    }
    if (due < nodes) {
        return owed_in(nodes, due, sure == nodes);
    }
    if (sure > nodes) {
        return out_of_turn(sample.load, nodes);
    }
    return sure < nodes ? in_of_turn(highest, nodes) : Move{};
}

std::optional<Decision> SmsrackPolicy::step(const Sample& sample, std::uint32_t nodes) {
    follow_the_world(nodes);
    ledger_.add(sample.load, nodes, *reference_);
    window_.add(sample, *reference_);
    recent_.push_back(sample.load);
    if (recent_.size() > rules_.samples) {
        recent_.pop_front();
    }
    ++samples_;
    const auto [x, why] = move(sample, nodes);

    Decision decision{.t = rules_.period * (samples_ - 1),
                      .load = sample.load,
                      .n = nodes,
                      .x = x,
                      .y = clamped(nodes, x, rules_),
                      .rules = window_.fired(),
                      .indicators = window_.indicators()};
    if (decision.rules.empty() && (x != 0 || why)) {  // what the reference decided before
        decision.rules = owed_rules_;
        decision.indicators = owed_for_;
    }
    if (why) {
        decision.rules.push_back(*why);
    }
    const bool full = window_.full();
    expected_ = decision.y;
    down_before_ = sample.crashed;
    ahead_ = !full && (ahead_ || why == Rule::early);
    if (full) {
        reference_ = clamped(*reference_, window_.x(), rules_);
        owed_rules_ = window_.fired();
        owed_for_ = window_.indicators();
        window_.clear();
    }
    return full || x != 0 ? std::optional(std::move(decision)) : std::nullopt;
}

}  // namespace smsrack::scaling
