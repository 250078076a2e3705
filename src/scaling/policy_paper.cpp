#include "src/scaling/policy_paper.hpp"

namespace smsrack::scaling {

std::optional<Decision> PaperPolicy::step(const Sample& sample, std::uint32_t nodes) {
    window_.add(sample, nodes);
    ++samples_;
    if (!window_.full()) {
        return std::nullopt;
    }
    Decision decision{.t = rules_.period * (samples_ - 1),
                      .load = sample.load,
                      .n = nodes,
                      .x = window_.x(),
                      .rules = window_.fired(),
                      .indicators = window_.indicators()};
    decision.y = clamped(nodes, decision.x, rules_);
    window_.clear();
    return decision;
}

}  // namespace smsrack::scaling
