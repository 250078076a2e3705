#include "src/scaling/policy.hpp"

#include "src/scaling/policy_paper.hpp"
#include "src/scaling/policy_smsrack.hpp"

#include <algorithm>

namespace smsrack::scaling {

std::unique_ptr<Policy> make_policy(PolicyName name, const ScalingRules& rules) {
    if (name == PolicyName::paper) {
        return std::make_unique<PaperPolicy>(rules);
    }
    return std::make_unique<SmsrackPolicy>(rules);
}

std::uint32_t clamped(std::uint32_t nodes, int x, const ScalingRules& rules) {
    const auto wanted = static_cast<std::int64_t>(nodes) + x;
    return static_cast<std::uint32_t>(std::clamp(wanted, static_cast<std::int64_t>(rules.n_min),
                                                 static_cast<std::int64_t>(rules.n_max)));
}

}  // namespace smsrack::scaling
