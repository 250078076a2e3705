/// The pairs that get a message: each waits here for the transaction that claims it and makes its
/// message.
///
/// While the store or the rack can't take more, they wait for a time, in their order.
/// Time:    wall for what a message says; steady for how long pairs wait.
/// Threads: the loop thread.
/// Errors:  of a pair's chunks: storage.
#pragma once

#include "src/trigger/engine.hpp"
#include "src/trigger/feed_desk.hpp"
#include "src/trigger/loop_answers.hpp"

#include <deque>
#include <functional>
#include <map>
#include <span>

namespace smsrack::trigger {

class FeedClaims {
public:
    /// All outlive the object. `turn`: an answer of the store was taken, and more may follow.
    FeedClaims(FeedDesk& desk, const EngineParts& parts, std::move_only_function<void()> turn);

    /// Waits for claim().
    void add(Wanted& wanted) { waiting_.push_back(&wanted); }
    /// Claims what waits, as far as store and rack take it now.
    void claim();
    /// Resumes what waited for a time; gives when that is.
    SteadyTime step(SteadyTime now);
    void drop_all(const Error& failure);

    [[nodiscard]] bool is_claiming() const { return claiming_ > 0; }
    /// Fills in what waits, and for what.
    void show(TriggerView& view) const;

private:
    using Answers = std::vector<Result<ports::Claimed>>;

    [[nodiscard]] std::optional<ports::Claim> claim_of(Wanted& wanted, WallTime now);
    void claimed(std::span<Wanted* const> wanted, Result<Answers> answers);
    // False: it must be claimed again.
    [[nodiscard]] bool take_answer(Wanted& wanted, Result<ports::Claimed> answer);
    [[nodiscard]] bool take_error(Wanted& wanted, const Error& error);
    [[nodiscard]] std::uint32_t ahead(WallTime now);
    void not_ahead(const Wanted& wanted);
    void wait(WaitingFor what, std::optional<std::chrono::milliseconds> time);

    FeedDesk& desk_;
    const EngineParts& parts_;
    std::move_only_function<void()> turn_;

    std::deque<Wanted*> waiting_ = {};
    std::size_t claiming_ = 0;                      // transactions under way
    std::map<WallTime, std::uint32_t> ahead_ = {};  // segments by the batch that they wait for
    SteadyTime retry_at_ = SteadyTime::min();
    WaitingFor waiting_for_ = WaitingFor::nothing;

    LoopAnswers answers_;  // the last: nothing comes back to an object that is half gone
};

}  // namespace smsrack::trigger
