/// Tells the engine what was ordered on this box for all boxes: opt-outs, pauses, cancelled batches.
///
/// A change is on this box's disk, and obeyed here, before the engine gets it. Who ordered it waits for accept_wait_ms at most
/// until the engine has it. It is sent again until its row is gone, which its number makes harmless.
/// Threads: the desk's.
#pragma once

#include "src/cluster/task.hpp"
#include "src/ports/command.hpp"
#include "src/sms/fleet_stage.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace smsrack::cluster {

/// Of those who wait; beyond, they are answered at once.
inline constexpr std::size_t rule_waiters_max = 1'000;

class RuleTeller final : public Task {
public:
    using Task::Task;

    /// Answers when the engine has all that was changed before this call, or at `until`: `here`.
    void wait(ports::Done<Kept> done, SteadyTime until);
    /// Under this seat the engine had all that this box has kept, once at least. Until then a row here does not mean that the
    /// engine lacks it: its answer may have been lost, and another box may have changed the rule since.
    [[nodiscard]] bool has_told(ports::Seat seat) const { return told_ == seat; }

    /// `here`, to those whose time is over.
    void answer_overdue(SteadyTime now);
    /// When the next one's is; `never`: none waits.
    [[nodiscard]] SteadyTime next_overdue() const;
    /// `here`, to all: no engine answers.
    void answer_all();

private:
    struct Waiter {
        ports::Done<Kept> done = {};
        SteadyTime until = {};
        std::uint64_t round = 0;  // that tells all that it waits for
    };

    void begin() override;
    void look();
    void tell(const std::vector<ports::OwnRule>& rules);
    void note(const std::vector<ports::OwnRule>& rules);
    void answer(auto is_meant, Kept kept);

    ports::Seat of_ = {};
    std::uint64_t round_ = 0;  // that runs, or ran last
    bool two_disks_ = true;    // of all that this round has told
    std::optional<ports::Seat> told_ = {};
    std::vector<Waiter> waiters_ = {};
};

}  // namespace smsrack::cluster
