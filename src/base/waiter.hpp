/// How a thread sleeps: until a deadline, or until another thread wakes it. Nothing polls.
///
/// Threads: wait_until() by the owner; wake() by any. A wake() before wait_until() is not lost.
#pragma once

#include "src/base/clock.hpp"

#include <condition_variable>
#include <mutex>

namespace smsrack {

class Waiter {
public:
    Waiter() = default;
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    virtual ~Waiter() = default;

    /// Returns at `deadline` at the latest, or soon after wake(); `never` waits for wake() alone.
    virtual void wait_until(SteadyTime deadline) = 0;
    virtual void wake() = 0;
};

/// For threads that wait for nothing but other threads.
class CondvarWaiter final : public Waiter {
public:
    void wait_until(SteadyTime deadline) override;
    void wake() override;

private:
    std::mutex mutex_;  // guards woken_
    std::condition_variable condition_;
    bool woken_ = false;
};

}  // namespace smsrack
