/// Judges whether the service is healthy; the systemd watchdog is fed while it is.
///
/// A process that hangs half-way is worse than one that is restarted: the store has everything.
/// Time:    steady, of the caller.
/// Threads: check() by the loop thread: one that does not get to call it is not healthy either. late() by any.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/base/worker.hpp"
#include "src/ports/condition.hpp"

#include <chrono>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace smsrack::host {

class Health {
public:
    /// A step never waits, but for a slow disk; a watchdog of 30 s is not to bite before it is named.
    static constexpr std::chrono::seconds late_max{20};
    /// Of a ready message while a line is free: some hundred times what it takes.
    static constexpr std::chrono::seconds starving_max{60};

    /// Since when messages starve; never: none does.
    using Starving = std::function<SteadyTime()>;

    /// All outlive the object.
    Health(std::vector<const Worker*> workers, Starving starving, Log& log);

    /// Says what is wrong once, in the log; and when it is over.
    [[nodiscard]] bool check(SteadyTime now);

    /// What the last check() found.
    [[nodiscard]] std::vector<ports::Condition> late() const;

private:
    void note(const std::string& name, bool bad, std::chrono::nanoseconds lasting);

    const std::vector<const Worker*> workers_;
    const Starving starving_;
    Log& log_;
    mutable std::mutex mutex_;     // guards named_
    std::set<std::string> named_;  // <= the workers and one
};

}  // namespace smsrack::host
