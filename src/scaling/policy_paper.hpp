/// The controller exactly as published: one decision at the end of each window.
///
/// Source:  [Elastic]; a crash counts at the next decision.
#pragma once

#include "src/scaling/policy.hpp"
#include "src/scaling/window.hpp"

namespace smsrack::scaling {

class PaperPolicy final : public Policy {
public:
    explicit PaperPolicy(const ScalingRules& rules) : rules_(rules), window_(rules) {}

    [[nodiscard]] std::optional<Decision> step(const Sample& sample, std::uint32_t nodes) override;

    /// Only the end of a window decides.
    [[nodiscard]] std::size_t soonest_out() const override {
        const std::size_t missing = window_.missing();
        return window_.samples_to_out() <= missing ? missing : missing + rules_.samples;
    }

private:
    const ScalingRules& rules_;
    Window window_;
    std::int64_t samples_ = 0;
};

}  // namespace smsrack::scaling
