/// A pool without threads: jobs run when the test says so.
#pragma once

#include "src/base/executor.hpp"
#include "src/base/waiter.hpp"

#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

namespace smsrack::test {

class HandExecutor final : public Executor {
public:
    void post(Job job) override {
        if (at_once_) {
            return job();
        }
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
    }

    /// From now on a job runs where it is posted: for a caller that waits for it while there is no
    /// other thread.
    void at_once(bool now) { at_once_ = now; }

    /// Runs what waits; true where there was something.
    bool run() {
        std::deque<Job> jobs;
        {
            const std::lock_guard lock(mutex_);
            jobs.swap(jobs_);
        }
        for (Job& job : jobs) {
            job();
        }
        return !jobs.empty();
    }

private:
    bool at_once_ = false;
    std::mutex mutex_;  // guards jobs_
    std::deque<Job> jobs_;
};

/// Records that a component was woken, so that the world steps it again.
class FlagWaiter final : public Waiter {
public:
    void wait_until(SteadyTime) override {}
    void wake() override { woken_ = true; }
    bool take() { return woken_.exchange(false); }

private:
    std::atomic<bool> woken_ = false;
};

}  // namespace smsrack::test
