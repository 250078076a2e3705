/// A policy turns samples into decisions; two of them: `paper` and `smsrack`.
///
/// Threads: one; pure, no clock: time is the number of samples.
#pragma once

#include "src/base/interface.hpp"
#include "src/scaling/decision.hpp"
#include "src/scaling/sample.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace smsrack::scaling {

class Policy : public Interface {
public:
    /// One sample, taken while `nodes` (at least 1) were in production. A decision where one falls:
    /// at the end of each window, and between where the policy does not wait for it.
    [[nodiscard]] virtual std::optional<Decision> step(const Sample& sample,
                                                       std::uint32_t nodes) = 0;

    /// In how many samples, at the soonest, one more node may be called in, but for a crash. A node
    /// that needs time to get ready must be started this long before.
    [[nodiscard]] virtual std::size_t soonest_out() const = 0;
};

enum class PolicyName : std::uint8_t { smsrack, paper };

inline constexpr std::array<std::string_view, 2> policy_names{"smsrack", "paper"};

/// `rules` outlives the policy.
[[nodiscard]] std::unique_ptr<Policy> make_policy(PolicyName name, const ScalingRules& rules);

/// Y = n + X within N_min..N_max.
[[nodiscard]] std::uint32_t clamped(std::uint32_t nodes, int x, const ScalingRules& rules);

}  // namespace smsrack::scaling
