/// What the dispatcher must ask the store for because time passes: messages that are due, unknown
/// outcomes that last too long, and the sweep that finds what no timer is set for.
///
/// Time:    wall for what is due, which the store dates; steady for the sweep. All the caller's.
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/sms/message.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

/// When to ask the store for one kind of thing; at most one question is open.
class DueQuestion {
public:
    /// There may be something at `when`.
    void at(WallTime when) { next_ = std::min(next_.value_or(when), when); }
    [[nodiscard]] bool is_due(WallTime now) const { return next_ && *next_ <= now; }
    [[nodiscard]] bool is_open() const { return asked_at_.has_value(); }
    /// The store is asked for what is due at `now`. Gives whether the time had come.
    bool ask(WallTime now);
    /// The answer is there; gives the time that was asked for.
    WallTime answered();
    /// When to ask; nullopt: nothing is known to be due, or a question is open.
    [[nodiscard]] std::optional<WallTime> next() const { return is_open() ? std::nullopt : next_; }

private:
    std::optional<WallTime> next_ = WallTime::min();
    std::optional<WallTime> asked_at_ = {};
};

class Due {
public:
    /// How late an expired message may be found in the store.
    static constexpr std::chrono::seconds sweep_period{5};

    DueQuestion messages;  ///< scheduled ones, and those between two attempts
    DueQuestion doubts;    ///< attempts whose outcome is unknown for too long

    /// What came and waits for a place, no more than was asked for.
    void keep(std::vector<OutMessage> came) { came_ = std::move(came); }
    [[nodiscard]] std::span<OutMessage> kept() { return came_; }
    [[nodiscard]] bool has_kept() const { return !came_.empty(); }
    [[nodiscard]] OutMessage take_kept();

    /// True where the sweep is due; the next one is a period later.
    [[nodiscard]] bool take_sweep(SteadyTime now);
    void sweep_again(SteadyTime now) { next_sweep_ = now; }
    /// When to look again. What is later than the next sweep, even by centuries, that step looks
    /// at.
    [[nodiscard]] SteadyTime deadline(SteadyTime now, WallTime wall, bool messages_may,
                                      bool doubts_may) const;

private:
    std::vector<OutMessage> came_;
    SteadyTime next_sweep_ = {};
};

}  // namespace smsrack::dispatch
