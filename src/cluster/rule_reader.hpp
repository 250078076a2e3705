/// Obeys what other boxes were ordered: opt-outs, pauses, cancelled batches.
///
/// It reads as soon as the engine notifies it, and then a few more times, because a transaction that began earlier and is still
/// open hides the change. It also reads where a beat says that there are some.
/// Time:    how long ago this box heard of the rules is by the time since the boot, and across a start by its date.
/// Threads: the desk's; knows_rules() by any.
#pragma once

#include "src/cluster/rule_teller.hpp"
#include "src/cluster/task.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace smsrack::cluster {

class RuleReader final : public Task {
public:
    /// Times that it reads after a notice, and the pause between two of them.
    static constexpr int looks = 8;
    static constexpr std::chrono::milliseconds look_pause{250};

    /// All outlive the object.
    RuleReader(const FleetWorld& world, SeatKeeper& seat, const RuleTeller& teller)
        : Task(world, seat), teller_(teller) {}

    /// The engine says that rules have changed.
    void notice();
    /// The store has marked the rules of this box as not kept by the engine.
    void look_up_again() {
        is_looked_up_ = false;
        wake();
    }

    [[nodiscard]] ports::ReadMark mark() const { return place_.mark; }
    /// Whether this box has heard of the rules lately enough to begin a message of `level`.
    [[nodiscard]] bool knows_rules(Level level) const;

private:
    void begin() override;
    [[nodiscard]] bool may_run() const override {
        return !is_looked_up_ || (seat_.is_seated() && teller_.has_told(*seat_.seat()));
    }
    void look_up();
    void share(bool again);
    [[nodiscard]] bool has_none() const;
    void read();
    void obey(const ports::RulesRead& read, std::chrono::nanoseconds asked);
    void heard(std::chrono::nanoseconds asked, bool all);

    const RuleTeller& teller_;
    ports::Seat of_ = {};
    bool is_looked_up_ = false;
    ports::RulesPlace place_ = {};
    std::atomic<std::int64_t> heard_ns_ = never_heard;  // since the boot
    int looks_left_ = 0;

    static constexpr std::int64_t never_heard = std::numeric_limits<std::int64_t>::min();
};

}  // namespace smsrack::cluster
