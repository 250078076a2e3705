/// One decision window: samples counted for each rule, and what they decide.
///
/// # counts samples; a rule fires when its count is above m*b (out) or m*a (in), not when it is
/// equal.
///
/// Source:  [Elastic] indicators 1 to 5; the source prints "m*b" for the fifth once, a slip.
#pragma once

#include "src/scaling/decision.hpp"
#include "src/scaling/rules.hpp"
#include "src/scaling/sample.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace smsrack::scaling {

class Window {
public:
    /// `rules` outlives the window.
    explicit Window(const ScalingRules& rules) : rules_(rules) {}

    /// `nodes` are those in production while the sample was taken, at least 1.
    void add(const Sample& sample, std::uint32_t nodes);
    void clear();

    [[nodiscard]] bool full() const { return indicators_.samples >= rules_.samples; }
    [[nodiscard]] std::size_t missing() const { return rules_.samples - indicators_.samples; }
    [[nodiscard]] const Indicators& indicators() const { return indicators_; }

    /// The rules that have fired by now; out, crash, then in.
    [[nodiscard]] std::vector<Rule> fired() const;

    /// X as the window would be decided now: out wins over in.
    [[nodiscard]] int x() const;

    /// X where no further sample (but a crash) can change it; 0 where it is open, or is 0.
    [[nodiscard]] int certain_x() const;

    /// Number of samples until a rule may have called one in: those still missing in this window,
    /// or else a whole new one.
    [[nodiscard]] std::size_t samples_to_out() const;

    /// Would the same samples have called one more in, with n nodes?
    [[nodiscard]] bool would_be_busy(std::uint32_t nodes) const;

private:
    [[nodiscard]] bool has_fired(Rule rule) const;
    [[nodiscard]] bool may_fire(Rule rule) const;

    const ScalingRules& rules_;
    Indicators indicators_;
    std::vector<double> loads_;  // <= samples_max
};

}  // namespace smsrack::scaling
