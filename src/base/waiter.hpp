/// How a thread sleeps: until a deadline, or until another thread wakes it. Nothing polls.
///
/// Threads: wait_until() by the owner; wake() by any. A wake() before wait_until() is not lost.
#pragma once

#include "src/base/clock.hpp"

#include <atomic>
#include <semaphore.h>

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

/// For threads that wait for nothing but other threads. A semaphore: a sleep or a wake-up is one system
/// call, and a condition variable with its mutex takes two for each sleep.
class SemaphoreWaiter final : public Waiter {
public:
    SemaphoreWaiter();
    ~SemaphoreWaiter() override;

    void wait_until(SteadyTime deadline) override;
    void wake() override;

private:
    sem_t semaphore_ = {};
    std::atomic<bool> woken_ = false;  // the semaphore was posted since the last wait
};

}  // namespace smsrack
