/// The policy `smsrack`. It runs the published controller as a reference and takes only steps that
/// the reference takes too, at a better time.
///
/// A crash brings one in at once. A step of the reference that is certain before its window ends is
/// taken early where that lowers the waiting; steps out are put off, and steps in not followed, as far
/// as the ledger has node-hours and waiting to spend. docs/decisions/0014-scaling-policy.md.
/// Source:  [Elastic], [SMSEngine] M/M/c as the price of a node.
#pragma once

#include "src/scaling/ledger.hpp"
#include "src/scaling/policy.hpp"
#include "src/scaling/window.hpp"

#include <deque>
#include <optional>

namespace smsrack::scaling {

class SmsrackPolicy final : public Policy {
public:
    explicit SmsrackPolicy(const ScalingRules& rules)
        : rules_(rules), window_(rules), ledger_(rules) {}

    [[nodiscard]] std::optional<Decision> step(const Sample& sample, std::uint32_t nodes) override;
    /// As soon as it is certain; what the reference has done already, with the next sample.
    [[nodiscard]] std::size_t soonest_out() const override {
        return reference_ && *reference_ > expected_ ? 1 : window_.samples_to_out();
    }

private:
    struct Move {
        int x = 0;
        std::optional<Rule> why = {};
    };

    void follow_the_world(std::uint32_t nodes);
    [[nodiscard]] Move move(const Sample& sample, std::uint32_t nodes) const;
    [[nodiscard]] Move out_of_turn(double load, std::uint32_t nodes) const;
    [[nodiscard]] Move owed_out(double load, std::uint32_t nodes, bool undone_soon) const;
    [[nodiscard]] Move in_of_turn(double load, std::uint32_t nodes) const;
    [[nodiscard]] Move owed_in(std::uint32_t nodes, std::uint32_t due, bool undone_soon) const;

    const ScalingRules& rules_;
    Window window_;
    Ledger ledger_;
    std::optional<std::uint32_t> reference_ = {};  // its nodes; nothing before the first sample
    std::deque<double> recent_ = {};               // loads of the last m samples
    std::uint32_t expected_ = 0;                   // nodes after our own last decision
    bool ahead_ = false;                           // of the reference, in this window
    std::uint32_t down_before_ = 0;                // crashed nodes in the sample before
    std::vector<Rule> owed_rules_ = {};            // of the reference's last window
    Indicators owed_for_ = {};
    std::int64_t samples_ = 0;
};

}  // namespace smsrack::scaling
