/// Clients that wait until the engine has their message, and what it is asked to check of it.
///
/// A message is followed from its commit on this box until the engine has answered. Its client waits for
/// accept_wait_ms at most: then it is answered `here`, and the message is followed for checks_kept more.
/// Bound:   followers_max; beyond, a client is answered at once, and its message is checked on this box alone.
/// Threads: the desk's.
#pragma once

#include "src/base/clock.hpp"
#include "src/ports/fleet.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace smsrack::cluster {

inline constexpr std::size_t followers_max = 10'000;
inline constexpr std::chrono::minutes checks_kept{10};

class Followers {
public:
    /// `until`: how long its client waits.
    void add(ports::Accepted accepted, ports::FleetChecks checks, ports::Done<ports::Accepted> done,
             SteadyTime until);

    /// nullopt: it is not followed.
    [[nodiscard]] std::optional<ports::FleetChecks> checks_of(MessageId message) const;

    /// The engine has it, so safely. Its client is answered, if it still waits.
    void kept(MessageId message, Kept kept);
    /// The engine keeps it not. False: its client was answered before, or is not known.
    [[nodiscard]] bool refused(MessageId message, const ports::PutAnswer& answer);

    /// Those whose time is over and that still wait for their answer, in order of time; each once.
    [[nodiscard]] std::vector<ports::Accepted> take_overdue(SteadyTime now);
    /// When the next one's is; `never`: none waits.
    [[nodiscard]] SteadyTime next_overdue() const;
    /// Answers its client that this box has it.
    void answer(MessageId message);
    /// Its client is refused, since no engine answers.
    void refuse(MessageId message, Error error);
    /// Answers all: no engine answers.
    void answer_all();

private:
    struct Follower {
        ports::Accepted accepted = {};
        ports::FleetChecks checks = {};
        ports::Done<ports::Accepted> done = {};  // empty: answered
    };

    [[nodiscard]] std::optional<Follower> take(MessageId message);
    static void answer(Follower& follower);

    struct Due {
        SteadyTime until = {};
        MessageId message = {};
    };

    std::map<MessageId, Follower> all_ = {};
    std::deque<Due> due_ = {};       // in order of time; some have their answer
    std::deque<Due> answered_ = {};  // `here`: when they are forgotten, likewise
};

/// The answer to a client whose message the engine does not keep.
[[nodiscard]] Error error_of(ports::PutOutcome outcome, const ports::FleetChecks& checks);

}  // namespace smsrack::cluster
