/// A decision of the controller, with the indicators that caused it.
///
/// Source:  [Elastic]: X = +1, 0, -1; Y = n + X within N_min..N_max.
#pragma once

#include "src/scaling/rules.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::scaling {

/// Why. The first five are the numbers of the source; `early` to `kept` are said by the policy
/// `smsrack` alone, `promise` by no policy.
enum class Rule : std::uint8_t {
    out_flow = 1,  ///< CPU and flow above b
    out_store,     ///< store above b
    out_forecast,  ///< forecast above b
    in_flow,       ///< CPU and flow below a
    in_store,      ///< store below a
    crash,         ///< a node is down
    early,         ///< the window can't come out otherwise any more
    late,          ///< put off until the node-hours that were borrowed had been paid back
    kept,          ///< not followed: it would have been undone with the next window
    promise,       ///< the work ahead takes too long for the lines that are open
};
inline constexpr std::size_t rule_count = 10;

/// "out_flow" ...; for metrics.
[[nodiscard]] std::string_view name_of(Rule rule);

/// "crash", "early" ...; the first five have numbers, and no word here.
[[nodiscard]] std::string_view word_of(Rule rule);

/// # of the samples that speak for each rule.
struct Indicators {
    std::size_t samples = 0;
    std::array<std::size_t, 6> counts = {};  ///< by number of the rule, from 1; [0] is not used
    std::uint32_t crashed = 0;               ///< most nodes that were down at once
};

struct Decision {
    std::chrono::milliseconds t{0};  ///< since the first sample
    double load = 0;                 ///< of the sample it was made with
    std::uint32_t n = 0;             ///< nodes before it
    int x = 0;                       ///< before the clamp
    std::uint32_t y = 0;             ///< nodes after it
    std::vector<Rule> rules = {};
    Indicators indicators = {};
};

/// "3 -> 4: in 16 of 20 samples each node was busier than 70 % ..."; one sentence.
[[nodiscard]] std::string words(const Decision& decision, const ScalingRules& rules);

}  // namespace smsrack::scaling
